from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.channels.slack.app import EVENTS_PATH
from adapters.channels.teams.app import MESSAGES_PATH
from bot.inbox import QUEUE
from bot.settings import setting_help

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
PROCESSES = ("serve", "worker")


def test_everything_in_the_folder_is_applied_but_for_the_policy_that_is_yours() -> None:
    (kustomization,) = _read("kustomization.yaml")
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml", "policy.yaml"}
    assert set(kustomization["resources"]) == files
    assert kustomization["configMapGenerator"] == [{"name": "countersign-policy", "files": ["policy.yaml"]}]


def test_every_variable_is_a_setting_and_none_is_a_secret() -> None:
    (settings,) = _read("settings.yaml")
    assert set(settings["data"]) <= set(setting_help())
    assert not any(
        word in name for name in settings["data"] for word in ("TOKEN", "SECRET", "PASSWORD", "KEY", "REDIS", "URLS")
    )
    assert all(isinstance(value, str) for value in settings["data"].values())


@pytest.mark.parametrize("process", PROCESSES)
def test_a_process_runs_its_command_without_rights_and_writes_to_its_scratch_folder_alone(process: str) -> None:
    container, pod = _container(process), _pod(process)
    assert container["args"] == [process]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert f"--uid {pod['securityContext']['runAsUser']} " in (FOLDER.parent / "Dockerfile").read_text(encoding="utf-8")
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    writable = [mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")]
    assert writable == ["/tmp"]  # noqa: S108 — the container's own
    assert all(value.startswith("/tmp/") for name, value in _settings().items() if name.endswith("_DIR"))  # noqa: S108


@pytest.mark.parametrize("process", PROCESSES)
def test_settings_and_secrets_come_by_reference(process: str) -> None:
    container = _container(process)
    assert container["envFrom"] == [
        {"configMapRef": {"name": "countersign-settings"}},
        {"secretRef": {"name": "countersign"}},
    ]
    assert "env" not in container
    assert not any(document["kind"] == "Secret" for document in _all())


@pytest.mark.parametrize("process", PROCESSES)
def test_probes_and_scrapes_ask_the_operators_port(process: str) -> None:
    container = _container(process)
    ports = {port["name"]: str(port["containerPort"]) for port in container["ports"]}
    assert ports["metrics"] == _settings()["METRICS_PORT"]
    assert ports.get("http", "3978") == _settings()["PORT"]
    probes = [container[name]["httpGet"] for name in ("startupProbe", "livenessProbe")]
    assert probes == [{"path": "/health/live", "port": "metrics"}] * 2
    assert _template(process)["metadata"]["annotations"]["prometheus.io/port"] == ports["metrics"]


def test_a_service_without_the_control_database_takes_no_traffic_and_one_without_a_warehouse_does() -> None:
    assert _container("serve")["readinessProbe"]["httpGet"] == {"path": "/health/ready/control", "port": "metrics"}


def test_only_the_platforms_paths_and_signed_links_come_in_from_outside() -> None:
    (ingress,) = (document for document in _all() if document["kind"] == "Ingress")
    ((host),) = ingress["spec"]["rules"]
    paths = {path["path"] for path in host["http"]["paths"]}
    assert paths == {"/slack", MESSAGES_PATH, "/files"}
    assert EVENTS_PATH.startswith("/slack/")
    assert _settings()["PUBLIC_BASE_URL"] == f"https://{host['host']}"


def test_workers_are_scaled_by_the_turns_that_wait_in_the_inbox() -> None:
    (scaled,) = _read("worker-scaling.yaml")
    (trigger,) = scaled["spec"]["triggers"]
    assert scaled["spec"]["scaleTargetRef"]["name"] == "countersign-worker"
    assert f"queue_name = '{QUEUE}'" in trigger["metadata"]["query"]
    assert trigger["metadata"]["connectionFromEnv"] in setting_help()
    assert "replicas" not in _deployment("worker")["spec"]


def test_policies_and_budgets_name_the_processes() -> None:
    names = {f"countersign-{process}" for process in PROCESSES}
    budgets = {
        document["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"] for document in _read("disruption.yaml")
    }
    assert budgets == names
    both, serve = _read("network.yaml")
    assert set(both["spec"]["podSelector"]["matchExpressions"][0]["values"]) == names
    assert both["spec"]["policyTypes"] == ["Ingress", "Egress"]
    assert serve["spec"]["ingress"][0]["ports"] == [{"port": int(_settings()["PORT"])}]


def _read(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def _all() -> Iterator[dict[str, Any]]:
    for name in _read("kustomization.yaml")[0]["resources"]:
        yield from _read(name)


def _settings() -> dict[str, str]:
    data: dict[str, str] = _read("settings.yaml")[0]["data"]
    return data


def _deployment(process: str) -> dict[str, Any]:
    (found,) = (document for document in _read(f"{process}.yaml") if document["kind"] == "Deployment")
    return found


def _template(process: str) -> dict[str, Any]:
    template: dict[str, Any] = _deployment(process)["spec"]["template"]
    return template


def _pod(process: str) -> dict[str, Any]:
    pod: dict[str, Any] = _template(process)["spec"]
    return pod


def _container(process: str) -> dict[str, Any]:
    (container,) = _pod(process)["containers"]
    assert isinstance(container, dict)
    return container
