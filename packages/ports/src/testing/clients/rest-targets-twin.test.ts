import { restTargetsConformance } from './rest-targets-conformance';
import { RestTargetsTwin } from './rest-targets-twin';

restTargetsConformance('the REST targets in memory', async () => {
  const twin = new RestTargetsTwin([], ['erp']);
  return {
    targets: twin,
    answerNext: (answer) => twin.answerNext(answer),
    received: () => twin.requests.map(({ method, url, body }) => ({ method, url, body })),
    close: async () => undefined,
  };
});
