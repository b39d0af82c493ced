import type { MailSender, OutgoingMail } from '../../mail-sender';

/** A mail as the server has it, decoded. */
export interface ReceivedMail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  date: Date;
}

/** What the suite needs of an implementation. */
export interface MailSenderLab {
  sender: MailSender;
  received(): Promise<ReceivedMail[]>;
  /** What the server says to mails for an address: `later` is a refusal for now. */
  refuse(to: string, how: 'later' | 'for good'): void;
  setAway(away: boolean): Promise<void>;
  close(): Promise<void>;
}

const aMail = (over: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: '6b0f7a3e-9c1d-4f53-8f0a-0c2d5a7f1e11', to: 'ada@shop.example', subject: 'Verify your email address',
  text: 'Open the link:\nhttp://sluice.test/verify-email?token=abc\n', html: '<p><a href="http://sluice.test/">Open</a></p>',
  writtenAt: new Date('2026-03-04T05:06:07Z'), ...over,
});

/** Behaviour of every mail sender. */
export function mailSenderConformance(name: string, open: () => Promise<MailSenderLab>): void {
  describe(`${name} is a mail sender`, () => {
    let lab: MailSenderLab;
    beforeEach(async () => { lab = await open(); });
    afterEach(() => lab.close());

    it('hands a mail over, with both of its parts', async () => {
      expect(await lab.sender.send(aMail())).toEqual({ ok: true });
      const [received, ...more] = await lab.received();
      expect(more).toEqual([]);
      const { subject, html, writtenAt: date } = aMail();
      expect(received).toMatchObject({ to: 'ada@shop.example', subject, html, date });
      expect(received!.text.trim()).toBe(aMail().text.trim());
    });

    it('keeps letters of all languages', async () => {
      const mail = aMail({ subject: 'Einladung zu „Käse & Ko“ 招待', text: 'Grüße, 招待\n', html: '<p>Grüße, 招待</p>' });
      expect(await lab.sender.send(mail)).toEqual({ ok: true });
      const [received] = await lab.received();
      expect([received!.subject, received!.text.trim(), received!.html]).toEqual([mail.subject, mail.text.trim(), mail.html]);
    });

    it('gives a mail the same id in every try, and each mail its own', async () => {
      const other = aMail({ id: 'd3a1d0a2-1b1c-4e5f-9a77-0d6c3f1b2a90' });
      for (const mail of [aMail(), aMail(), other]) await lab.sender.send(mail);
      const ids = (await lab.received()).map(({ messageId }) => messageId);
      expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
      expect(ids[0]).toContain(aMail().id);
    });

    it('says whether another try is of use, and names nobody', async () => {
      lab.refuse('later@shop.example', 'later');
      lab.refuse('never@shop.example', 'for good');
      const [later, never] = [
        await lab.sender.send(aMail({ to: 'later@shop.example' })), await lab.sender.send(aMail({ to: 'never@shop.example' })),
      ];
      expect([later, never]).toMatchObject([{ ok: false, permanent: false }, { ok: false, permanent: true }]);
      expect(JSON.stringify([later, never])).not.toMatch(/shop\.example|token/);
      expect(await lab.received()).toEqual([]);
    });

    it('fails for now while the server is away, and goes on when it is back', async () => {
      await lab.setAway(true);
      expect(await lab.sender.send(aMail())).toMatchObject({ ok: false, permanent: false });
      await lab.setAway(false);
      expect(await lab.sender.send(aMail())).toEqual({ ok: true });
    });

    it('hands many over at the same time', async () => {
      const mails = Array.from({ length: 30 }, (_, index) => aMail({ id: `mail-${index}`, to: `u${index}@shop.example` }));
      const outcomes = await Promise.all(mails.map((mail) => lab.sender.send(mail)));
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      expect(new Set((await lab.received()).map(({ to }) => to)).size).toBe(30);
    });
  });
}
