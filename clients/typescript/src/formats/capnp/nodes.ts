import { DecodeError } from "../../errors.js";
import type { RecordType, Type, UnionType } from "../../schema.js";
import { type Node, POINTER, type Slot, VOID } from "./layout.js";

/** Whether values of a type are structs where they stand alone. */
export function isStruct(type: Type): boolean {
  return type.kind === "record" || type.kind === "union" || type.kind === "nullable";
}

/** What values of a type take in a struct. */
export function sizeOf(type: Type): number {
  switch (type.kind) {
    case "null":
      return VOID;
    case "bool":
      return 0;
    case "int":
    case "float":
      return Math.log2(type.bits);
    case "enum":
      return 4;
    default:
      return POINTER;
  }
}

/** A field of a type; of none: nothing. */
export function slotOf(type: Type | undefined, number: number): Slot {
  return { kind: "slot", number, size: type ? sizeOf(type) : VOID, offset: 0 };
}

function unionNode(members: Node[]): Node | Node[] {
  // A union of one is no union to the compiler: it is a group.
  return members.length === 1 ? members : { kind: "union", members, discriminant: 0, values: [] };
}

/** A union of nothing and a value. */
export function maybeNode(type: Type, number: number): Node {
  return unionNode([slotOf(undefined, number), slotOf(type, number)]) as Node;
}

/** The union that a type is; of nothing and its branches, if it may be nothing. */
export function unionOf(type: UnionType, number: number, maybe: boolean): Node | Node[] {
  const branches = [...type.branches].sort((a, b) => a.number - b.number).map((branch) => slotOf(branch.type, number));
  return unionNode(maybe ? [slotOf(undefined, number), ...branches] : branches);
}

/** What a field is, which may be nothing. */
export function memberOf(type: Type, number: number, maybe: boolean): Node | Node[] {
  if (type.kind === "union") return unionOf(type, number, maybe);
  return maybe && sizeOf(type) !== POINTER ? maybeNode(type, number) : slotOf(type, number);
}

/** The union that a oneof is. */
export function oneofNode(type: RecordType, oneof: number, positions: number[]): Node[] {
  const fields = positions.map((f) => type.fields[f]!);
  const members: Node[] = [];
  if (!type.oneofs[oneof]!.required) members.push(slotOf(undefined, Math.min(...fields.map(({ number }) => number))));
  for (const field of fields) {
    const boxes = field.nullable && sizeOf(field.type) !== POINTER;
    members.push(boxes ? { ...slotOf(field.type, field.number), size: POINTER } : slotOf(field.type, field.number));
  }
  const node = unionNode(members);
  return Array.isArray(node) ? node : [node];
}

/** The members of a struct. */
export function flat(nodes: (Node | Node[])[]): Node[] {
  return nodes.flat();
}

/** What this client does not know of files in the language itself. */
export function check(type: RecordType): void {
  const notes = [type.notes, ...type.fields.map((field) => field.notes), ...type.oneofs.map((oneof) => oneof.notes)];
  for (const key of ["capnp.group", "capnp.skipped", "capnp.unnamed", "capnp.number", "capnp.default"]) {
    if (notes.some((notes) => notes[key] !== undefined)) {
      throw new DecodeError(`${key} of ${type.name} is not supported by this client: ask for another format`);
    }
  }
}
