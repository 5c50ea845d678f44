import { describe, expect, test } from 'vitest'
import { findBinding, keyContexts, keyGroups, promptContexts } from './binding.ts'
import { helpRows } from '../view/help.ts'
import { bindingKeysText } from './documented-key.ts'
import { keyBindings } from './catalogue.ts'
import { initialModel } from '../model/model.ts'
import { driveDashboard } from '../../../../test/support/dashboard/drive.ts'
import { plainText } from '../view/text/row.ts'

describe('the table of keys', () => {
  test.each(keyContexts)('context %s binds no key twice', (context) => {
    const own = keyBindings.filter((binding) => binding.contexts.includes(context))
    const all = own.flatMap((binding) => binding.keys)
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([])
  })

  test('a key means the same in every context: live, in a recording, in overlays', () => {
    // The answers to a question are letters of its own, which stand beside it.
    const questions = new Set<string>(promptContexts)
    const meanings = new Map<string, Set<string>>()
    for (const { keys, contexts, id, meaning = id } of keyBindings)
      if (contexts.some((context) => !questions.has(context)))
        for (const key of keys) meanings.set(key, new Set([...(meanings.get(key) ?? []), meaning]))
    expect(meanings.size).toBeGreaterThan(50)
    const ambiguous = [...meanings].filter(([, each]) => each.size > 1)
    expect(ambiguous.map(([key, each]) => `${key}: ${[...each].join(', ')}`)).toEqual([])
  })

  test('every binding is found by each of its keys in each of its contexts', () => {
    for (const binding of keyBindings)
      for (const context of binding.contexts)
        for (const key of binding.keys)
          expect(findBinding(keyBindings, context, key)?.id).toBe(binding.id)
  })

  test('identifiers are unique, and every binding has keys, a context and a group', () => {
    const ids = keyBindings.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { keys: own, contexts: where, group } of keyBindings) {
      expect(own.length).toBeGreaterThan(0)
      expect(where.length).toBeGreaterThan(0)
      expect(keyGroups).toContain(group)
    }
  })

  test('the help lists every binding, at every width', () => {
    for (const width of [60, 80, 120, 200]) {
      const text = helpRows(width).map(plainText).join('\n')
      for (const binding of keyBindings) {
        expect(text).toContain(binding.title.slice(0, 30))
        expect(text).toContain(bindingKeysText(binding))
      }
    }
  })

  test('the help cuts no line where there is room, and uses as many columns as fit', () => {
    for (const width of [70, 110, 119, 120, 150, 160, 200])
      expect(helpRows(width).map(plainText).join('\n')).not.toContain('~')
    const heights = [80, 120, 200].map((width) => helpRows(width).length)
    expect(heights).toEqual(heights.toSorted((one, other) => other - one))
    expect(new Set(heights).size).toBe(3)
  })

  test('every context has a key that leaves it', () => {
    for (const context of keyContexts)
      expect(findBinding(keyBindings, context, 'esc')?.id).toBe('peel')
    for (const context of keyContexts)
      expect(findBinding(keyBindings, context, 'ctrl-c')?.id).toBe('quit.interrupt')
  })

  test('no binding needs alt, a function key or ctrl-enter', () => {
    for (const key of keyBindings.flatMap(({ keys: own }) => own))
      expect(key).not.toMatch(/alt|^f\d|ctrl-enter/)
  })

  test('a disabled key reports why', () => {
    const reasons = keyBindings.flatMap(
      ({ disabledReason: disabled }) => disabled?.(initialModel(80, 24)) ?? [],
    )
    expect(reasons.length).toBeGreaterThan(10)
    expect(reasons.every((because) => because.length > 5)).toBe(true)
  })
})

describe('the footer', () => {
  test('shows the keys of the focused pane first', async () => {
    const screen = await driveDashboard()
    expect(screen.lines().at(-1)).not.toContain('drop')
    await screen.press('N', 'd', '5')
    expect(screen.lines().at(-1)).toMatch(/^ p hold\/release {2}x drop {2}d duplicate/)
    expect(screen.lines().at(-1)).toMatch(/\? help {2}q quit\s*$/)
  })

  test.each([
    [60, 16],
    [80, 24],
    [120, 29],
    [200, 50],
  ])('keeps the keys below a notice of any length, at %i × %i', async (columns, rows) => {
    const screen = await driveDashboard({ columns, rows })
    const keys = screen.lines().at(-1)
    const text = 'configuration: the file cannot be read. '.repeat(12)
    screen.tell(text)
    expect(screen.lines().at(-1)).toBe(keys)
    expect(screen.text()).toContain('configuration: the file cannot be read.')
  })

  test('never cuts a key', async () => {
    for (const columns of [60, 70, 80, 100]) {
      const screen = await driveDashboard({ columns, rows: 24 })
      expect(screen.lines().at(-1)).not.toContain('~')
    }
  })
})
