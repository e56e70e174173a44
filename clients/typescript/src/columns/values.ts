import type { Type } from "../schema.js";
import { rounded } from "../text/json.js";
import { Builder, type Context } from "./build.js";
import type { Column } from "./column.js";
import { NullColumn, ValueColumn } from "./numbers.js";

/** Rows without any content. */
export class NullBuilder extends Builder {
  override skip(): void {
    this.n++;
  }
  override cut(n: number): void {
    this.n = n;
  }
  override put(value: any): void {
    if (value !== null) this.wrong(value);
    this.n++;
  }
  override finish(): Column {
    const column = new NullColumn(this.type, this.n);
    this.n = 0;
    return column;
  }
}

/** Values as they are: of type `any`, and of types that contain themselves. */
export class ValueBuilder extends Builder {
  values: any[] = [];
  readonly context: Context;
  constructor(type: Type, context: Context) {
    super(type);
    this.context = context;
  }
  push(value: any): void {
    this.values[this.n++] = value;
  }
  override skip(): void {
    this.push(null);
  }
  override cut(n: number): void {
    this.n = n;
  }
  override put(value: any): void {
    this.push(this.context.integers === "exact" ? value : rounded(value));
  }
  override finish(): Column {
    this.values.length = this.n;
    const column = new ValueColumn(this.type, this.values);
    this.values = [];
    this.n = 0;
    return column;
  }
}
