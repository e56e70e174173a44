import { CanvasMap } from "./canvas.js";
import type { Points } from "./load.js";
import { WebGlMap } from "./webgl.js";

/** A map that draws points. */
export interface PointMap {
  /** Said in the panel. */
  readonly renderer: string;
  readonly canvas: HTMLCanvasElement;
  /** Resolves when they are drawn. */
  draw(points: Points): Promise<void>;
}

/** MapLibre where there is WebGL 2, else a map that only draws. */
export async function mapIn(container: HTMLElement): Promise<PointMap> {
  const without = new URLSearchParams(location.search).get("renderer") === "canvas";
  const gl = without ? null : document.createElement("canvas").getContext("webgl2");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl ? WebGlMap.in(container) : new CanvasMap(container);
}
