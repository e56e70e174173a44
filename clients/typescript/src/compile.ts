let allowed: boolean | undefined;

/** Whether the page's Content-Security-Policy lets functions be made of text; tested once. */
export function canCompile(): boolean {
  if (allowed === undefined) {
    try {
      allowed = new Function("return 1")() === 1;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}

/** For tests, and for callers that want none: functions are never made of text from now on. */
export function neverCompile(never = true): void {
  allowed = never ? false : undefined;
}

const made = new Map<string, Function>();

/** The function with this body, made once. */
export function compiled(args: string, body: string): Function {
  const key = `${args}|${body}`;
  let found = made.get(key);
  if (!found) {
    if (made.size > 1000) made.clear();
    found = new Function(...args.split(","), body);
    made.set(key, found);
  }
  return found;
}
