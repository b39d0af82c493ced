import { crmAssociationTests } from './crm-client-association-tests';
import type { CrmClientLab } from './crm-client-lab';
import { crmDefinitionTests } from './crm-client-definition-tests';
import { crmPortalTests } from './crm-client-portal-tests';
import { crmReadTests } from './crm-client-read-tests';
import { crmTroubleTests } from './crm-client-trouble-tests';
import { crmWriteTests } from './crm-client-write-tests';

/**
 * What every client of the CRM must do, and what the CRM behind it is taken to do. Call it at the top level of a test file.
 * @param makeLab called once; the portal is emptied before each test
 */
export function crmClientConformance(name: string, makeLab: () => Promise<CrmClientLab>): void {
  describe(`${name} is a client of the CRM`, () => {
    let lab: CrmClientLab;
    beforeAll(async () => {
      lab = await makeLab();
    });
    beforeEach(() => lab.reset());
    afterAll(() => lab.close());

    describe('writing records', () => crmWriteTests(() => lab));
    describe('reading records', () => crmReadTests(() => lab));
    describe('associations', () => crmAssociationTests(() => lab));
    describe('definitions and tokens', () => crmPortalTests(() => lab));
    describe('object types and pipelines', () => crmDefinitionTests(() => lab));
    describe('in trouble', () => crmTroubleTests(() => lab));
  });
}
