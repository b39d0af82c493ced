import type { Step } from '@sluice/contracts';
import { dryRun } from './test-support/dry-run';

describe('a dry run', () => {
  it('sends no file: its content is not shown', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', method: 'GET' };
    const file: Step = {
      id: 'x',
      action: 'export_file',
      rows: '$p.body.data',
      format: 'jsonl',
      target: 'erp',
      url: '/in/a.jsonl',
    };
    const { steps } = await dryRun([post, file]);
    expect(steps[1]).toMatchObject({
      status: 'ok',
      stubbed_external_response: true,
      request: { operation: 'send_file', method: 'PUT', url: 'https://erp.example.com/api/in/a.jsonl' },
    });
    expect(steps[1]!.request).not.toHaveProperty('body');
  });

  it('shows files and forms, and touches none', async () => {
    const { steps } = await dryRun(
      [
        {
          id: 'u',
          action: 'upload_file',
          content: '$.payload.pdf',
          filename: 'a.pdf',
          entity: 'contact',
          external_id: '$.payload.email',
        },
        { id: 'd', action: 'delete_attachments', entity: 'contact', external_id: '$.payload.email', filename: 'b.pdf' },
        { id: 'f', action: 'submit_form', form_id: 'x', fields: [{ name: 'a', value: 1 }] },
      ],
      { email: 'ada@example.com', pdf: 'JVBERi0=' },
    );
    expect(steps).toMatchObject([
      { status: 'ok', request: { operation: 'upload_file', content_length: 8, attach_to: { external_id: 'ada@example.com' } } },
      { status: 'ok', request: { operation: 'delete_attachments', filename: 'b.pdf' }, output: { deleted: 0 } },
      { status: 'ok', request: { operation: 'submit_form', fields: [{ object_type: 'contacts', name: 'a', value: '1' }] } },
    ]);
  });
});
