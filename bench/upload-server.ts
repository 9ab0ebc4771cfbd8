import { createServer } from "node:http";

// A process of its own, so that what it takes is not counted as the sender's: it gives out an upload address, and reads
// what is sent there, or takes an experiment. It prints its address, and ends with its standard input.
const server = createServer((request, response) => {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  request.on("end", () => {
    if (request.url?.endsWith("/upload-experiment") === true) {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ dataset: { id: "d", name: "questions" }, experiment: { id: "e", received: bytes } }),
      );
      return;
    }
    const upload_url = `http://${request.headers.host ?? ""}/store/source.tar.gz`;
    const answer = request.method === "PUT" ? { bytes } : { upload_url, object_path: "store/source.tar.gz" };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.on("end", () => process.exit(0)).resume();
