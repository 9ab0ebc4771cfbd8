"""Reads projects, datasets and runs with the public SDK, and prints what it got as one line of JSON."""

import json
import sys
import warnings

from langsmith import Client

warnings.simplefilter("ignore")
url, ids = sys.argv[1], json.loads(sys.argv[2])
client = Client(api_url=url, web_url=url, api_key="key-of-the-readers")


def names(found):
    return [one.name for one in found]


def error(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "none"


def page(one):
    return [str(one.id), one.url]


project = client.read_project(project_name="a project")
experiment = client.read_project(project_id=ids["experiment"], include_stats=True)
dataset = client.read_dataset(dataset_name="set 1")
run = client.read_run(ids["run"])
print(
    json.dumps(
        {
            "project": [page(project), page(client.read_project(project_id=str(project.id)))],
            "experiment": [experiment.name, str(experiment.reference_dataset_id), experiment.metadata],
            "projects": names(client.list_projects(reference_free=True)),
            "experiments": len(names(client.list_projects(reference_free=False))),
            "projects_containing": names(client.list_projects(name_contains="A PRO")),
            "projects_of": names(client.list_projects(reference_dataset_name="set 2")),
            "projects_by_id": names(client.list_projects(project_ids=[ids["experiment"], str(project.id)])),
            "dataset": [page(dataset), page(client.read_dataset(dataset_id=dataset.id))],
            "dataset_counts": [dataset.data_type.value, dataset.example_count, dataset.session_count],
            "datasets": names(client.list_datasets()),
            "datasets_limited": names(client.list_datasets(limit=2)),
            "datasets_named": names(client.list_datasets(dataset_name="set 1")),
            "datasets_containing": names(client.list_datasets(dataset_name_contains="T 10")),
            "datasets_by_id": names(client.list_datasets(dataset_ids=[dataset.id])),
            "has": [client.has_dataset(dataset_name="set 1"), client.has_dataset(dataset_name="set 1000")],
            "run": [run.name, run.inputs, run.outputs, run.status],
            "errors": {
                "project": error(lambda: client.read_project(project_name="none")),
                "dataset": error(lambda: client.read_dataset(dataset_name="none")),
                "filter": error(lambda: list(client.list_datasets(metadata={"a": 1}))),
                "runs": error(lambda: list(client.list_runs(project_name="a project"))),
                "examples": error(lambda: list(client.list_examples(dataset_id=dataset.id))),
                "create_dataset": error(lambda: client.create_dataset("mine")),
                "create_project": error(lambda: client.create_project("mine")),
                "feedback": error(lambda: list(client.list_feedback(run_ids=[ids["run"]]))),
            },
        }
    )
)
