import { mailSenderConformance } from './mail-sender-conformance';
import { createMemoryMailSender } from './memory-mail-sender';

mailSenderConformance('the memory twin', async () => {
  const sender = createMemoryMailSender();
  return {
    sender,
    received: async () => sender.sent.map(({ id, writtenAt, ...mail }) => ({ messageId: id, date: writtenAt, ...mail })),
    refuse: (to, how) => sender.answer(to, { ok: false, permanent: how === 'for good', reason: 'refused' }),
    setAway: async (away) => sender.setAway(away),
    close: () => sender.close(),
  };
});
