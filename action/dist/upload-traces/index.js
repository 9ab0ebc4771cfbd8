import { run } from "../index.js";
await run("upload-traces/main");
