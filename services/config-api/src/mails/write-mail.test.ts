import { mailTemplates } from './mail-templates';
import { writeMail } from './write-mail';

const url = 'https://sluice.example/verify-email?token=a&b="c"';

test('a mail says the same as text and as HTML, and has one link', () => {
  const { subject, text, html, links } = writeMail(mailTemplates.verify_email({ url }));
  expect(links).toEqual([url]);
  expect(subject).toBe('Verify your email address');
  expect(text).toContain(`Verify the address:\n${url}\n`);
  expect(text.match(/https?:/g)).toHaveLength(1);
  expect(html).toContain('<a href="https://sluice.example/verify-email?token=a&amp;b=&quot;c&quot;" rel="noreferrer">');
  expect(html.match(/https?:/g)).toHaveLength(1);
  expect(html).toContain('<meta name="referrer" content="no-referrer">');
});

test('a code stands beside the link', () => {
  const content = { subject: 'S', paragraphs: ['P'], link: { label: 'L', url }, code: '123456', closing: 'C' };
  const { text, html } = writeMail(content);
  expect([text.includes('Or type this code: 123456'), html.includes('<strong>123456</strong>')]).toEqual([true, true]);
});

test('names that people chose cannot write HTML or a second link', () => {
  const given = { url, organization: '<script>alert(1)</script> http://evil.example', by: 'a<b>@x.example', role: 'owner' };
  const { subject, text, html } = writeMail(mailTemplates.invitation(given));
  expect(subject).toBe('Join script alert(1) script http evil example on Sluice');
  expect(html).not.toMatch(/<script|<b>/);
  expect(text.match(/https?:\/\//g)).toHaveLength(1);
});
