import { OthersAtWork } from './others-at-work';

describe('others than an organization', () => {
  let now = 5_000;
  let work: OthersAtWork;
  beforeEach(() => {
    now = 5_000;
    work = new OthersAtWork(() => now);
  });
  const invoke = (name: string): void => {
    work.began(name);
    work.ended(name);
  };
  const others = (...names: string[]): boolean[] => names.map((name) => work.than(name));

  it('are not at work while it is alone', () => {
    for (let count = 0; count < 3; count += 1) invoke('one');
    work.began('one');
    expect(others('one', 'two')).toEqual([false, true]);
  });

  it('are at work while an invocation of theirs has not ended', () => {
    work.began('two');
    work.began('two');
    work.began('one');
    work.ended('two');
    now += 10_000;
    expect(others('one', 'two')).toEqual([true, true]);
    work.ended('two');
    now += 10_000;
    expect(others('one', 'two')).toEqual([false, true]);
  });

  it('are at work for a second after it, whoever was the last', () => {
    invoke('two');
    now += 500;
    invoke('one');
    now += 500;
    invoke('one');
    expect(others('one', 'two')).toEqual([true, true]);
    now += 1;
    expect(others('one', 'two')).toEqual([false, true]);
  });

  it('are any of several', () => {
    for (const name of ['one', 'two', 'three', 'two', 'two']) invoke(name);
    expect(others('one', 'two', 'three')).toEqual([true, true, true]);
  });
});
