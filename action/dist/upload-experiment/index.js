import { run } from "../index.js";
await run("upload-experiment/main");
