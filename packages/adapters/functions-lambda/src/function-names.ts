import type { FunctionName } from '@sluice/ports';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Characters of a developer's id that a name has room for: 42 bits, among the developers of one plugin. */
const developerLength = 7;

/** A UUID in the 22 characters of its bytes in base64url: Lambda allows 64 characters for a name, and two UUIDs have 72. */
function short(id: string): string {
  if (!uuid.test(id)) throw new Error(`Not a UUID: ${JSON.stringify(id)}`);
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

const ownPrefix = (organizationId: string): string => `sluice-${short(organizationId)}-`;

/** What Lambda calls a function: `sluice-<organization>-<plugin>`, and `-dev-<developer>` after it for a developer's own one. */
export function lambdaName({ organizationId, pluginId, developerId }: FunctionName): string {
  const developer = developerId === null ? '' : `-dev-${short(developerId).slice(0, developerLength)}`;
  return `${ownPrefix(organizationId)}${short(pluginId)}${developer}`;
}

const roleForm = /^arn:(aws[a-z-]*):iam::([0-9]{12}):role\/.+$/;

/** The identifiers of functions in one account and region. */
export class FunctionArns {
  private readonly prefix: string;

  /** @param role ARN of the role that functions run as, whose account they are in. Throws when it is none. */
  constructor(role: string, region: string) {
    const [, partition, account] = roleForm.exec(role) ?? [];
    if (account === undefined)
      throw new Error('SLUICE_LAMBDA_ROLE must be the ARN of a role: arn:aws:iam::<account>:role/<name>');
    this.prefix = `arn:${partition}:lambda:${region}:${account}:function:`;
  }

  arnOf(name: FunctionName): string {
    return `${this.prefix}${lambdaName(name)}`;
  }

  /** The name of a function of this organization; null: of another one, or of another account or region. */
  nameOf(functionArn: string, organizationId: string): string | null {
    const isOwn = functionArn.startsWith(`${this.prefix}${ownPrefix(organizationId)}`);
    return isOwn ? functionArn.slice(this.prefix.length) : null;
  }
}
