import type { Load } from "./load.js";

/** SHA-256 over all values, in the order of the rows: the same for every format. */
export async function digest({ points, uuids }: Load): Promise<string> {
  const doubles = [points.longitude, points.latitude, Float64Array.from(points.status)];
  const parts = [
    ...doubles.map((values) => new Uint8Array(values.slice().buffer)),
    new TextEncoder().encode(uuids().join("\n")),
  ];
  const bytes = await new Blob(parts).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How many pixels of the map are like points, and how many there are: neither gray nor as pale as land and sea. */
export function pointPixels(canvas: HTMLCanvasElement): { points: number; all: number } {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d")!;
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let points = 0;
  for (let i = 0; i < data.length; i += 4) {
    const colors = [data[i]!, data[i + 1]!, data[i + 2]!];
    if (Math.max(...colors) - Math.min(...colors) > 60) points++;
  }
  return { points, all: data.length / 4 };
}
