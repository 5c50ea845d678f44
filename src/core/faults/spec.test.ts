/** All notations of a fault, and the errors for invalid ones. */
import { expect, test } from 'vitest'
import { faultCatalogue } from './catalogue.ts'
import { faultPort } from './port.ts'

function checked(spec: unknown) {
  const result = faultPort.check(spec)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

function refusal(spec: unknown): string {
  const result = faultPort.check(spec)
  return result.ok ? 'it is taken' : result.error.message
}

test('a fault can be given as text, as object, and by its name alone', () => {
  const wanted = {
    name: 'drop',
    anchor: { event: ['CONFIRMED'], nth: 1 },
    options: {},
    legal: true,
  }
  expect(checked('drop:event=CONFIRMED,nth=1')).toMatchObject([wanted])
  expect(checked({ drop: { event: 'CONFIRMED', nth: 1 } })).toMatchObject([wanted])
  expect(checked(' drop: event = CONFIRMED , nth = 1 ')).toMatchObject([wanted])
  for (const spec of ['drop', { drop: {} }, { drop: null }])
    expect(checked(spec)).toMatchObject([{ name: 'drop', anchor: {} }])
})

test('lists with |, durations, and strings that look like numbers are parsed', () => {
  expect(checked('delay:event=CONFIRMED|DELIVERED,by=1.5s,for=2m,percent=12.5')).toMatchObject([
    {
      anchor: { event: ['CONFIRMED', 'DELIVERED'] },
      options: { by: 1500 },
      forMs: 120_000,
      percent: 12.5,
    },
  ])
  expect(checked('delay:by=250')).toMatchObject([{ options: { by: 250 } }])
  expect(checked('drop:order=4711,merchant=5|6'.replace('|6', ''))).toMatchObject([
    { anchor: { order: '4711', merchant: '5' } },
  ])
  expect(checked('fail:burst=outlast')).toMatchObject([{ burst: 'outlast' }])
  expect(checked('fail:burst=3')).toMatchObject([{ burst: 3 }])
})

test('a profile expands to all of its faults', () => {
  expect(checked('peak-hour').length).toBeGreaterThan(3)
  expect(new Set(checked('peak-hour').map(({ name }) => name))).toContain('slow-effect')
})

test('a profile takes no options', () => {
  for (const spec of [' peak-hour ', { 'peak-hour': null }, { 'peak-hour': {} }])
    expect(checked(spec).length).toBeGreaterThan(3)
  for (const spec of ['peak-hour:percent=5', { 'peak-hour': { percent: 5 } }])
    expect(refusal(spec)).toBe('peak-hour is a profile, and takes no options: it is its name alone')
})

test('a storm has a default percent of 20', () => {
  expect(checked('storm')).toMatchObject([{ percent: 20 }])
  expect(checked('storm:percent=5')).toMatchObject([{ percent: 5 }])
  expect(checked('storm:only=drop|reorder')).toMatchObject([
    { options: { only: ['drop', 'reorder'] } },
  ])
})

const allNames = faultCatalogue.map(({ name }) => name).join(', ')

test('whether a fault is legal depends on its options', () => {
  expect(checked('drop')).toMatchObject([{ legal: true }])
  expect(checked('drop:even=revealing')).toMatchObject([{ legal: false }])
  expect(checked('storm:even=robustness')).toMatchObject([{ legal: false }])
  expect(checked('no-effect')).toMatchObject([{ legal: false }])
})

test.each([
  ['drip', 'there is no fault "drip": is drop meant?'],
  ['slow-efect', 'there is no fault "slow-efect": is slow-effect meant?'],
  ['peak-hours', 'there is no fault "peak-hours": is peak-hour meant?'],
  [{ duplicat: {} }, 'there is no fault "duplicat": is duplicate meant?'],
  ['earthquake', `there is no fault "earthquake": they are ${allNames}`],
  ['', `there is no fault "": they are ${allNames}`],
])('an unknown name: %j', (spec, message) => {
  expect(refusal(spec)).toBe(message)
})

test('the error of an unknown option lists all options and suggests the nearest', () => {
  expect(refusal('delay:bye=5s')).toMatch(
    /^the fault delay has no option "bye" \(is by meant\?\): it takes by, event, operation, .* for$/,
  )
  expect(refusal({ drop: { zzzzzzz: 1 } })).toMatch(/has no option "zzzzzzz": it takes even, event/)
})

test.each([
  [
    'delay:by=soon',
    'the fault delay cannot be so at by: "soon" is no duration; write 250ms, 5s, 2m or 1h',
  ],
  ['reorder:k=0', 'the fault reorder cannot be so at k: 0: '],
  [
    'both-channels:first=webhok',
    'the fault both-channels cannot be so at first: "webhok" is none of webhook, polling; is webhook meant?',
  ],
  ['drop:operation=getOrdr', 'is getOrder meant?'],
  ['storm:only=drop|reoder', 'is reorder meant?'],
  ['drop:percent=200', 'the fault drop cannot be so at percent: 200: '],
  ['drop:event', 'the fault "drop:event" says "event", which is no key=value'],
  ['drop:nth=1,nth=2', 'the fault "drop:nth=1,nth=2" says nth twice'],
  [{ drop: 5 }, 'the fault drop cannot be so: its options are an object, not 5'],
  [{ drop: {}, delay: {} }, 'a fault is one name with its options'],
  [[], 'a fault is one name with its options'],
  [7, 'a fault is one name with its options'],
  [null, 'a fault is one name with its options'],
])('what cannot be is said: %j', (spec, message) => {
  expect(refusal(spec)).toContain(message)
})

test('names of Object.prototype members are no options, in any notation', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect(refusal(`drop:${name}=1`)).toContain(`the fault drop has no option "${name}"`)
    expect(refusal(JSON.parse(`{"drop": {"${name}": 1}}`))).toContain(`has no option "${name}"`)
  }
})

test('names of Object.prototype members are no faults', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(refusal(name)).toContain(`there is no fault "${name}"`)
})

test('the text form keeps strings that look like numbers', () => {
  const text = 'drop:order=007,merchant=12345678901234567890'
  expect(checked(text)).toMatchObject([{ text }])
  expect(checked('delay:by=250,percent=12.50')).toMatchObject([
    { text: 'delay:by=250,percent=12.5' },
  ])
})

test('an error concerns the invalid option, not a valid string beside it that looks like a number', () => {
  expect(refusal('drop:order=7,nth=0')).toContain('the fault drop cannot be so at nth: 0: ')
})

test.each([
  [
    'drop:event=CONFIRMD',
    'the fault drop names the event "CONFIRMD", which there is not: is CONFIRMED meant?',
  ],
  ['drop:after=created', 'names the event "created", which there is not: is CREATED meant?'],
  [
    'slow-effect:trigger=confrim',
    'names the trigger "confrim", which there is not: is confirm meant?',
  ],
  [
    'slow-effect:trigger=blow-up',
    'names the trigger "blow-up", which there is not: it is one of confirm,',
  ],
  [
    'slow-effect:event=CONFIRMED',
    'can never match: it acts on the effects of accepted calls, which event as given',
  ],
  ['slow-effect:operation=confirmOrder', 'rules out: write trigger=confirm in its place'],
  ['no-effect:channel=webhook', 'which channel as given here rules out'],
  [
    'drop:operation=getOrder',
    'it acts on events as they are handed over, which operation as given',
  ],
  ['drop:trigger=confirm', 'which trigger as given here rules out'],
  [
    'fail:event=CONFIRMED,operation=confirmOrder',
    'it acts on answers of ours, which event as given',
  ],
  ['fail:operation=receiveOrderEvent,channel=polling', 'which channel as given here rules out'],
  [
    'storm:operation=getOrder,trigger=confirm',
    'which operation and trigger as given here rules out',
  ],
])('what can never match is refused: %s', (spec, message) => {
  expect(refusal(spec)).toContain(message)
})

test.each([
  'storm:event=CONFIRMED',
  'batch:channel=polling',
  'ack-lag:event=CREATED',
  'fail:event=CREATED,operation=acknowledgeEvents|getOrder',
  'drop-response:event=ACCOUNT_OPENED',
  'drop:event=X_LOYALTY_HINT|order.cancelled|delivery.assigned|PICKED_UP',
  'slow-effect:trigger=item.cancel|collected',
])('what may match is taken: %s', (spec) => {
  expect(refusal(spec)).toBe('it is taken')
})
