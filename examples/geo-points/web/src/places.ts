export interface Place {
  /** A UUID in lower case. */
  uuid: string;
  /** A 32-bit integer. */
  status: number;
  longitude: number;
  latitude: number;
}

/** What a message is. */
export type Root = Place[];
