import { run } from "../index.js";
await run("remove/main");
