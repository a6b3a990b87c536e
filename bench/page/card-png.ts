import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { failure } from "../basics/errors.ts";

/**
 * An SVG file as PNG, drawn by resvg without a browser, with fonts of its own: the same bytes on every machine.
 *
 * @throws BenchError where the packages that draw are missing, Error for text that is no SVG
 */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const require = createRequire(import.meta.url);
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm").catch((error) => {
    throw failure(
      "what draws PNG is not installed",
      "npm install levelfield @resvg/resvg-wasm dejavu-fonts-ttf, or take the SVG",
      error,
    );
  });
  started ??= initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await started;
  const font = (name: string) => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  const drawing = new Resvg(svg, {
    font: { fontBuffers: [font("DejaVuSans"), font("DejaVuSans-Bold")], defaultFontFamily: "DejaVu Sans" },
  });
  return drawing.render().asPng();
}

/** It may be started once a process. */
let started: Promise<void> | undefined;
