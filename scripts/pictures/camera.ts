import * as z from "zod";
import { attachToPage, startPipe } from "../../test/browser/chromium-pipe.ts";

/** What a picture shows of a page. */
export interface Frame {
  /** In pixels of the page; a picture has two dots for each. */
  readonly width: number;
  /** A selector: the picture ends above the first element that it finds. */
  readonly endsAbove: string;
  readonly scheme: "light" | "dark";
}

/** Takes pictures of pages, as WebP. */
export interface Camera extends AsyncDisposable {
  take(url: string, frame: Frame): Promise<Buffer>;
}

const Evaluated = z.object({ result: z.object({ value: z.number() }) });
const Screenshot = z.object({ data: z.base64() });

export async function openCamera(program: string): Promise<Camera> {
  const pipe = await startPipe(program);
  const send = await attachToPage(pipe);
  await send("Page.enable");
  return {
    take: async (url, { width, endsAbove, scheme }) => {
      await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await send("Emulation.setDeviceMetricsOverride", { width, height: 600, deviceScaleFactor: 2, mobile: false });
      const loaded = pipe.next("Page.loadEventFired");
      await send("Page.navigate", { url });
      await loaded;
      const expression = `Math.floor(document.querySelector(${JSON.stringify(endsAbove)}).getBoundingClientRect().top)`;
      const { value: height } = Evaluated.parse(await send("Runtime.evaluate", { expression })).result;
      const clip = { x: 0, y: 0, width, height, scale: 1 };
      const options = { format: "webp", quality: 70, clip, captureBeyondViewport: true };
      return Buffer.from(Screenshot.parse(await send("Page.captureScreenshot", options)).data, "base64");
    },
    [Symbol.asyncDispose]: () => pipe.close(),
  };
}
