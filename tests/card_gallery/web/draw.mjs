// node draw.mjs <pieces.json> <folder> <chromium>: a PNG a piece, drawn in a headless browser.
import { mkdir, readFile } from "node:fs/promises";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";

const [pieces, folder, chromium] = process.argv.slice(2);

async function page(browser, entry) {
  // The card renderer registers its elements on import, though it says that importing has no effect.
  const built = await build({
    ignoreAnnotations: true,
    entryPoints: [entry], bundle: true, write: false, outdir: "built", minify: true, format: "iife", jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const [script] = built.outputFiles.filter((file) => file.path.endsWith(".js"));
  const [style] = built.outputFiles.filter((file) => file.path.endsWith(".css"));
  const opened = await browser.newPage();
  opened.on("pageerror", (error) => { throw error; });
  await opened.setViewport({ width: 820, height: 600, deviceScaleFactor: 2 });
  await opened.setContent('<!doctype html><meta charset="utf-8"><body></body>');
  await opened.addStyleTag({ content: style.text });
  await opened.addScriptTag({ content: script.text });
  return opened;
}

async function draw(opened, piece) {
  // A browser lays out nothing in a tab behind another.
  await opened.bringToFront();
  await opened.evaluate(() => { document.body.innerHTML = '<div id="frame"></div>'; });
  await opened.evaluate((given) => window.draw(given), piece);
  await opened.evaluate(() => Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode())]));
  const frame = await opened.$("#frame");
  await frame.screenshot({ path: `${folder}/${piece.name}.png` });
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--force-color-profile=srgb"], protocolTimeout: 30_000 });
await mkdir(folder, { recursive: true });
const pages = { slack: await page(browser, "slack.jsx"), teams: await page(browser, "teams.js") };
for (const piece of JSON.parse(await readFile(pieces, "utf-8"))) await draw(pages[piece.channel], piece);
await browser.close();
