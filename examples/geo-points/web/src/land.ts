import type { MultiPolygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/land-110m.json";

const sphere = feature(atlas as unknown as Topology, atlas.objects.land as unknown as GeometryCollection);

/** Where there is land: Natural Earth, 1:110 million, which is in the public domain. No tiles are asked for. */
export const land: MultiPolygon = {
  type: "MultiPolygon",
  coordinates: sphere.features.flatMap(({ geometry }) =>
    geometry.type === "MultiPolygon" ? geometry.coordinates.map((polygon) => polygon.map(flattened)) : [],
  ),
};

/** A ring of the sphere on a flat map: what crosses 180° goes on beyond it, and what goes around a pole has it as its edge. */
function flattened(ring: Position[]): Position[] {
  let shift = 0;
  const flat = ring.map(([east, north], i): Position => {
    const step = east! - (ring[i - 1]?.[0] ?? east!);
    if (Math.abs(step) > 180) shift -= Math.sign(step) * 360;
    return [east! + shift, north!];
  });
  const [first, last] = [flat[0]!, flat.at(-1)!];
  if (Math.abs(last[0]! - first[0]!) > 180) {
    const pole = Math.sign(first[1]!) * 90;
    flat.push([last[0]!, pole], [first[0]!, pole], first);
  }
  return flat;
}

export const colors = {
  sea: "#dce6ee",
  land: "#f7f5ef",
  coast: "#9fb1bf",
  known: [0.8, 0.2, 0.1],
  other: [0.1, 0.35, 0.7],
};
