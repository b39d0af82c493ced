import { type DeployedService, secretVariables } from './deployed-service';
import { services, type ServiceName } from './services';

/** These variables without the secrets that are not given to the service: what it would have where it is deployed. */
export function heldBy(name: ServiceName, env: Readonly<Record<string, string>>): Record<string, string> {
  const { secrets }: DeployedService = services.find((service) => service.name === name)!;
  const held = new Set(secrets.flatMap((secret) => secretVariables[secret]));
  const bundled = new Set(Object.values(secretVariables).flat());
  return Object.fromEntries(Object.entries(env).filter(([variable]) => held.has(variable) || !bundled.has(variable)));
}
