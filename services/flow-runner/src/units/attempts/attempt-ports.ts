import type { ActionPorts } from '@sluice/actions';
import type { CrmWriter, UnitContext } from '@sluice/crm-writer';
import type { CrmFiles, CrmRecords, ExportFiles, IdentityMap, PluginCalls, RestTargets } from '@sluice/ports';
import { keepingSent } from './keeping-sent';

/** Makes the ports of one attempt. */
export interface PortMakers {
  writer: CrmWriter;
  /** The unit as the writer has to know it; null: no portal is bound. */
  writing: UnitContext | null;
  exports(): ExportFiles;
  targets(): RestTargets;
  plugins(): PluginCalls;
}

/** The ports of one attempt. Each is made when a step asks for it first: most flows use one of them. */
export class AttemptPorts implements ActionPorts {
  private ownCrm?: CrmRecords;
  private ownFiles?: CrmFiles;
  private ownExports?: ExportFiles;
  private ownIdentities?: IdentityMap;
  private ownRest?: RestTargets;
  private ownPlugins?: PluginCalls;

  constructor(private readonly make: PortMakers) {}

  get crm(): CrmRecords {
    return (this.ownCrm ??= this.make.writer.recordsFor(this.make.writing));
  }

  get files(): CrmFiles {
    return (this.ownFiles ??= this.make.writer.filesFor(this.make.writing));
  }

  get exports(): ExportFiles {
    return (this.ownExports ??= this.make.exports());
  }

  get identities(): IdentityMap {
    return (this.ownIdentities ??= this.make.writer.identitiesFor(this.make.writing));
  }

  get rest(): RestTargets {
    return (this.ownRest ??= keepingSent(this.make.targets(), this.make.writer, this.make.writing));
  }

  get plugins(): PluginCalls {
    return (this.ownPlugins ??= this.make.plugins());
  }
}
