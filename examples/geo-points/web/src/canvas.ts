import { colors, land } from "./land.js";
import type { Points } from "./load.js";
import type { PointMap } from "./map.js";

/** A map for browsers without WebGL: it cannot be moved. */
export class CanvasMap implements PointMap {
  readonly renderer = "canvas 2D, without WebGL";
  readonly canvas = document.createElement("canvas");

  constructor(container: HTMLElement) {
    this.canvas.width = container.clientWidth * devicePixelRatio;
    this.canvas.height = container.clientHeight * devicePixelRatio;
    container.append(this.canvas);
  }

  async draw({ longitude, latitude, status }: Points): Promise<void> {
    const { width, height } = this.canvas;
    // Drawn by the CPU: so many small things are slow to hand to what would be a GPU.
    const context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    const scale = Math.min(width / 360, height / 180);
    const x = (degrees: number) => width / 2 + degrees * scale;
    const y = (degrees: number) => height / 2 - degrees * scale;
    context.fillStyle = colors.sea;
    context.fillRect(0, 0, width, height);
    context.beginPath();
    // What goes on beyond one edge comes in at the other.
    for (const turn of [-360, 0, 360]) {
      for (const ring of land.coordinates.flat()) {
        ring.forEach(([east, north], i) => context[i ? "lineTo" : "moveTo"](x(east! + turn), y(north!)));
        context.closePath();
      }
    }
    context.fillStyle = colors.land;
    context.fill("evenodd");
    context.strokeStyle = colors.coast;
    context.stroke();
    // One color after the other: changing it for each point takes longer than all the rest.
    const size = 2 * devicePixelRatio;
    for (const [value, color] of [colors.other, colors.known].entries()) {
      context.fillStyle = `rgb(${color.map((part) => part * 255).join(" ")} / 0.6)`;
      for (let i = 0; i < longitude.length; i++) {
        if (status[i] === value) context.fillRect(x(longitude[i]!) - size / 2, y(latitude[i]!) - size / 2, size, size);
      }
    }
    // The pixels are there once they can be read.
    context.getImageData(0, 0, 1, 1);
  }
}
