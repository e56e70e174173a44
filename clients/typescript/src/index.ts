export {
  type Answer,
  type Client,
  type ClientOptions,
  type Columns,
  client,
  type Compiled,
  type PostOptions,
  type RequestOptions,
} from "./client.js";
export type { Column, Integers } from "./columns/column.js";
export { Decoder, type DecodeOptions, type Format, type SchemaDocument, type Shapes } from "./decode.js";
export type { Encoder } from "./encode.js";
export { DecodeError, type Problem, ProblemError } from "./errors.js";
export type { Progress, RetryOptions } from "./http.js";
export type { FixedColumn, TextColumn } from "./columns/text.js";
export type { LongColumn, NumberColumn, ValueColumn } from "./columns/numbers.js";
export type { ListColumn, MapColumn, MaybeColumn, RecordColumn, UnionColumn } from "./columns/nested.js";
export type { SchemaFile } from "./schema.js";
