// Reads projects, datasets and runs with the public SDK, and prints what it got as one line of JSON.
import { Client } from "langsmith";

process.removeAllListeners("warning");
const [url, text] = process.argv.slice(2);
const ids = JSON.parse(text);
// One attempt: none of these errors passes.
const client = new Client({ apiUrl: url, webUrl: url, apiKey: "key-of-the-readers", callerOptions: { maxRetries: 0 } });

const all = (found) => Array.fromAsync(found);
const names = async (found) => (await all(found)).map(({ name }) => name);
const error = (promise) =>
  promise.then(
    () => "none",
    (reason) => `${reason.name}: ${reason.message}`,
  );

const project = await client.readProject({ projectName: "a project" });
const experiment = await client.readProject({ projectId: ids.experiment, includeStats: true });
const dataset = await client.readDataset({ datasetName: "set 1" });
const run = await client.readRun(ids.run);
const projectPage = async (by) => [(await client.readProject(by)).id, await client.getProjectUrl(by)];
const datasetPage = async (by) => [(await client.readDataset(by)).id, await client.getDatasetUrl(by)];
console.log(
  JSON.stringify({
    project: [await projectPage({ projectName: "a project" }), await projectPage({ projectId: project.id })],
    experiment: [experiment.name, experiment.reference_dataset_id, experiment.extra?.metadata ?? {}],
    projects: await names(client.listProjects({ referenceFree: true })),
    experiments: (await names(client.listProjects({ referenceFree: false }))).length,
    projects_containing: await names(client.listProjects({ nameContains: "A PRO" })),
    projects_of: await names(client.listProjects({ referenceDatasetName: "set 2" })),
    projects_by_id: await names(client.listProjects({ projectIds: [ids.experiment, project.id] })),
    dataset: [await datasetPage({ datasetName: "set 1" }), await datasetPage({ datasetId: dataset.id })],
    dataset_counts: [dataset.data_type, dataset.example_count, dataset.session_count],
    datasets: await names(client.listDatasets()),
    datasets_limited: (await names(client.listDatasets({ limit: 2 }))).slice(0, 2),
    datasets_named: await names(client.listDatasets({ datasetName: "set 1" })),
    datasets_containing: await names(client.listDatasets({ datasetNameContains: "T 10" })),
    datasets_by_id: await names(client.listDatasets({ datasetIds: [dataset.id] })),
    has: [await client.hasDataset({ datasetName: "set 1" }), await client.hasDataset({ datasetName: "set 1000" })],
    run: [run.name, run.inputs, run.outputs, run.status],
    errors: {
      project: await error(client.readProject({ projectName: "none" })),
      dataset: await error(client.readDataset({ datasetName: "none" })),
      filter: await error(all(client.listDatasets({ metadata: { a: 1 } }))),
      runs: await error(all(client.listRuns({ projectName: "a project" }))),
      examples: await error(all(client.listExamples({ datasetId: dataset.id }))),
      create_dataset: await error(client.createDataset("mine")),
      create_project: await error(client.createProject({ projectName: "mine" })),
      feedback: await error(all(client.listFeedback({ runIds: [ids.run] }))),
    },
  }),
);
