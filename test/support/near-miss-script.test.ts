/**
 * The text of near misses: what its lines, steps, times and findings stand for, and which mistakes in it are refused.
 */
import { expect, test } from 'vitest'
import { parseNearMisses } from './near-miss-script.ts'
import * as make from './near-miss-steps.ts'
import type { Steps } from './near-misses.ts'

const caseOf = (body: string, definitions = '') =>
  parseNearMisses(`${definitions}\nORD-OPS-02 a title | ${body}`)[0]

const flat = (steps: Steps): readonly unknown[] =>
  Array.isArray(steps) ? (steps as readonly Steps[]).flatMap(flat) : [steps]

const played = (steps: string, definitions?: string) => {
  const found = caseOf(`${steps} => passed`, definitions)
  return found && flat(found.play)
}

test.each<[text: string, steps: Steps]>([
  [
    '0 created a, b type=DELIVERY',
    ['a', 'b'].map((id) => make.created(0, id, { type: 'DELIVERY' })),
  ],
  ['5 known a merchant=loja-2', make.known(5, 'a', { merchant: 'loja-2' })],
  ['0 polled 503 took=5', make.polled(0, [], { status: 503, took: 5 })],
  ['0 polled CREATED a, X_HINT {1..2}', make.polled(0, ['CREATED a', 'X_HINT 1', 'X_HINT 2'])],
  ['0 acknowledged CREATED a#2', make.acknowledged(0, ['CREATED a 2'])],
  ['0,1 confirmOrder a 503', [0, 1].map((at) => make.call(at, 'confirmOrder a', 503))],
  ['9 createDelivery a key=one', make.delivery(9, 'createDelivery a', 202, { key: 'one' })],
  [
    '0 read a CONFIRMED answer={"x":"1 2"}',
    make.read(0, 'a', 'CONFIRMED', { answer: { x: '1 2' } }),
  ],
  ['0 created a & moved a READY forced', [make.created(0, 'a'), make.moved(0, 'a', 'READY', true)]],
  ['3,+0x1 created o$i-$at', [make.created(3, 'o0-3'), make.created(3, 'o1-3')]],
  ['1 token', make.token(1, '')],
  [
    '0 emitted CREATED a createdAt=1000',
    make.emitted(0, 'CREATED a', { createdAt: '2026-01-05T15:00:01.000Z' }),
  ],
  ['2 faultFired req(getOrder,o1)', make.faultFired(2, 'req(getOrder,o1)')],
  [
    '8 planned event.offer CREATED a',
    make.planned(8, { kind: 'event.offer', eventId: 'CREATED a' }),
  ],
  ['7 probed a; 9', [{ at: 7, probed: 'a' }, { at: 9 }]],
  [
    '1 fact {"kind":"event.offered","eventId":"e"}',
    { at: 1, fact: { kind: 'event.offered', eventId: 'e' } },
  ],
])('the steps of %s', (text, steps) => {
  expect(played(text)).toEqual(flat(steps))
})

test('what happens while a webhook is in flight is held in brackets', () => {
  const found = played('1 webhook CREATED a 503 took=9 [2 read a CREATED; 3 created b]')
  const inside = [make.read(2, 'a', 'CREATED'), make.created(3, 'b')]
  expect(found?.slice(1, 4)).toEqual(flat(inside))
  expect(found?.[4]).toMatchObject({ at: 1, by: 'sparring', status: 503, took: 9 })
})

test('a definition is other steps, a text or a part of either, with arguments and defaults', () => {
  const definitions = `
    orders := 0 created a
    # A remark.
    tried(status=503|at=1,+2) := orders; $at confirmOrder $one $status
    one := x
    stuck(what|since=0 s) := "o1 $what for $since."
    found := stuck(hangs; "it" says|2 s) a 0; /o\\d/ - none advice`
  expect(played('tried(_|5)', definitions.replace(/stuck.*|found.*/g, ''))).toEqual([
    ...flat(make.created(0, 'a')),
    make.call(5, 'confirmOrder x', 503),
  ])
  expect(caseOf('tried => found', definitions)?.expected).toEqual([
    ['o1 hangs; "it" says for 2 s.', 'a', [0]],
    [/o\d/, undefined, [], 'advice'],
  ])
})

test('cases have a clause and a title, may go on in the next line, and keep the lag that was set before', () => {
  const cases = parseNearMisses(`
    ORD-OPS-02 it is {READY|DELIVERED} | 0 moved a $each
      => "is $each"
      a 0,1000,+500x2 inconclusive
    lag 100
    AUT-MER-01 it waits | 5 => not-exercised`)
  const evidence = [0, 1000, 1500, 2000]
  expect(cases.map(({ play, ...rest }) => ({ ...rest, steps: flat(play).length }))).toEqual([
    ...['READY', 'DELIVERED'].map((status) => ({
      clause: 'ORD-OPS-02',
      title: `it is ${status}`,
      steps: 1,
      expected: [[`is ${status}`, 'a', evidence, 'inconclusive']],
      lagMs: 0,
    })),
    { clause: 'AUT-MER-01', title: 'it waits', steps: 1, expected: 'not-exercised', lagMs: 100 },
  ])
})

test.each([
  ['0 confirmOder a => passed', 'confirmOder is none of'],
  ['0 read a REDY => passed', 'REDY is none of CREATED'],
  ['0 deliveryMoved a READY => passed', 'READY is none of'],
  ['0 confirmOrder a tok=5 => passed', 'there is no option tok'],
  ['+x confirmOrder a => passed', 'there is no ""'],
  ['0,x confirmOrder a => passed', 'no time: x'],
  ['orders => passed', 'there is no "orders"'],
  ['0 => never', 'there is no "never"'],
  ['0 created $a => passed', 'there is no "a"'],
  ['0', 'neither a case nor a definition'],
])('%s is refused', (body, message) => {
  expect(() => caseOf(body)).toThrow(message)
})

test.each([
  ['unused := 0 created a', 'nothing uses unused'],
  ['x := 0\nx := 1', 'x is defined twice'],
])('the definitions %s are refused', (definitions, message) => {
  expect(() => caseOf('0 => passed', definitions)).toThrow(message)
})

test('a definition needs the arguments without a default, and takes no more', () => {
  const definition = 'tried(status) := 0 confirmOrder a $status'
  expect(() => caseOf('tried => passed', definition)).toThrow('tried lacks status')
  expect(() => caseOf('tried(1|2) => passed', definition)).toThrow('too many arguments')
})
