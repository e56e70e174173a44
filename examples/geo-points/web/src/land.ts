import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/land-110m.json";

/** Where there is land: Natural Earth, 1:110 million, which is in the public domain. No tiles are asked for. */
export const land = feature(atlas as unknown as Topology, atlas.objects.land as unknown as GeometryCollection);

export const colors = {
  sea: "#dce6ee",
  land: "#f7f5ef",
  coast: "#9fb1bf",
  known: [0.8, 0.2, 0.1],
  other: [0.1, 0.35, 0.7],
};
