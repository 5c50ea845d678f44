import { describe, expect, test } from 'vitest'
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import { faultOptions } from '../../../core/faults/option.ts'
import { faultPort } from '../../../core/faults/port.ts'
import { type FaultForm, fieldProblem, formFields, formOfSpec, formSpec } from './fault-form.ts'
import { wrongField } from './fault-form.ts'

const form = (name: string, values: FaultForm['values'] = {}): FaultForm => ({ name, values })

describe('the options of a fault, from its definition alone', () => {
  test.each(faultCatalogue.map((fault) => [fault.name, fault] as const))(
    '%s: every option says what it is for and what it takes, and its default is valid',
    (name, definition) => {
      const options = faultOptions(definition)
      expect(formFields(form(name))).toEqual([':name', ...options.map((each) => each.name), ':add'])
      for (const { name: option, description, accepts, default: usual, words } of options) {
        expect(`${option}: ${description}`).toMatch(/: \S.{5}/)
        expect(accepts).not.toBe('')
        const values = [...words, ...(usual === undefined ? [] : [usual])]
        for (const value of values) {
          const filled = form(name, { [option]: value })
          // A word of a common option may be one that rules this fault out; then the reason is a sentence of its own.
          const problem = fieldProblem(filled, option)
          if (problem !== undefined) expect(problem).toMatch(/^it can never match: /)
          else expect(formOfSpec(formSpec(filled))).toEqual({ ok: true, value: filled })
        }
      }
    },
  )

  test('units, bounds and words are read from the schema', () => {
    const accepts = (fault: string, option: string): string | undefined => {
      const definition = faultCatalogue.find(({ name }) => name === fault)
      return definition && faultOptions(definition).find(({ name }) => name === option)?.accepts
    }
    expect(accepts('delay', 'by')).toBe('a duration, such as 250ms, 5s, 2m or 1h')
    expect(accepts('delay', 'nth')).toBe('a whole number from 1')
    expect(accepts('delay', 'percent')).toBe('a number from 0 to 100')
    expect(accepts('delay', 'burst')).toBe('a whole number from 1 to 100, or outlast')
    expect(accepts('fail', 'status')).toBe('one of 500, 502, 503, 504')
    expect(accepts('batch', 'as')).toMatch(/^one of .*reverse/)
    expect(accepts('drop', 'event')).toBe('an event type')
  })
})

describe('the line of a form', () => {
  test('has what is typed, in the order of the options, and is a fault', () => {
    const filled = form('drop', { nth: '1', event: ' CONFIRMED|READY_FOR_PICKUP ', order: '' })
    expect(formSpec(filled)).toBe('drop:event=CONFIRMED|READY_FOR_PICKUP,nth=1')
    expect(faultPort.check(formSpec(filled)).ok).toBe(true)
    expect(wrongField(filled)).toBeUndefined()
  })

  test('keeps what another fault does not have until it is chosen again', () => {
    const filled = form('delay', { by: '7s', event: 'CREATED' })
    expect(formSpec({ ...filled, name: 'drop' })).toBe('drop:event=CREATED')
    expect(formSpec({ ...filled, name: 'delay' })).toBe('delay:by=7s,event=CREATED')
  })

  test('a line that the form cannot hold is none, and the reason says why', () => {
    const reason = (text: string): string => {
      const read = formOfSpec(text)
      return read.ok ? 'it is read' : read.error
    }
    expect(reason('drop:event')).toContain('no key=value')
    expect(reason('drip:event=CREATED')).toBe('there is no fault "drip": is drop meant?')
    expect(reason('drop:evnt=CREATED')).toContain('has no option "evnt" (is event meant?)')
    expect(reason('peak-hour')).toBe('it is read')
    expect(reason('drop:nth=x')).toBe('it is read')
  })
})

test.each([
  ['nth', '0', '"0" is not a whole number from 1'],
  ['nth', 'two', '"two" is not a whole number from 1'],
  ['percent', '101', '"101" is not a number from 0 to 100'],
  ['for', 'soon', '"soon" is not a duration, such as 250ms, 5s, 2m or 1h'],
  ['channel', 'polling|webhook', '"polling|webhook" is not one of polling, webhook, and only one'],
  ['channel', 'weebhook', '"weebhook" is not one of polling, webhook; is webhook meant?'],
  ['event', 'CONFIRMD', 'it names the event "CONFIRMD", which there is not: is CONFIRMED meant?'],
  ['event', 'CREATED,CONFIRMED', 'a comma ends the value of an option'],
  ['operation', 'getOrder', 'it can never match: it acts on events as they are handed over'],
  ['order', 'o2', undefined],
])('a value is checked at its option in plain words: %s=%s', (option, text, wanted) => {
  const problem = fieldProblem(form('drop', { [option]: text }), option)
  if (wanted === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(wanted)
})
