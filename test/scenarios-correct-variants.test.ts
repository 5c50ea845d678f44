// @module-tag slow
/**
 * No scenario asks for more than the clauses do: services that are right in another way than the reference pass all.
 * `npm test` plays those pairs that once failed, the soak all.
 */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import { defaultWaitMs } from '../src/core/scenario/shared-shapes.ts'
import { correctVariants, type CorrectVariant } from './support/correct-variants.ts'
import { playInProcess } from './support/play-scenario-in-process.ts'
import { isForReference } from './support/scenario-check.ts'
import { isSoak } from './support/soak.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const loaded = (await loadScenarios(['scenarios/**/*.yaml'], root)).filter(isForReference)

const onceTooStrict: Readonly<Record<keyof typeof correctVariants, readonly string[]>> = {
  'is slow': [
    'acknowledged-and-then-lost',
    'nothing-to-poll',
    'one-line-is-cancelled',
    'refused-and-nobody-says-so',
    'the-order-is-not-there-yet',
    'two-readings-cross',
  ],
  'is quick': ['finding-out-fails-too', 'two-people-confirm'],
  'tries again without end, with growing pauses': ['everybody-tries-again-at-once'],
  'leaves an acknowledgment to the next poll': ['acknowledged-and-then-lost'],
  'looks before it asks to cancel again': ['asked-twice-to-cancel'],
  'asks to cancel a while after it was told to': ['refused-and-nobody-says-so'],
}

const pairs = Object.entries<CorrectVariant>(correctVariants).flatMap(([name, variant]) =>
  loaded
    .filter(
      ({ file }) =>
        isSoak ||
        onceTooStrict[name as keyof typeof correctVariants].some((story) => file.includes(story)),
    )
    .map(({ run }) => [run.title, name, run, variant] as const),
)

test.each(pairs)('%s passes with a service that %s', async (_title, _name, run, variant) => {
  const { pace, wire, answersAsksAtOnce = false } = variant
  const { failures } = await playInProcess(run, {
    answersAsksAtOnce,
    ...(pace ? { pace } : {}),
    ...(wire ? { wire: wire() } : {}),
  })
  expect(failures.map(({ because }) => because)).toEqual([])
})

test('no step that waits allows less time than the tolerances, or it would be a rule of its own', () => {
  const shorter = loaded.flatMap(({ run: { scenario, title } }) =>
    scenario.steps.flatMap(({ await: wait }) =>
      wait?.within !== undefined && wait.within < defaultWaitMs ? [title] : [],
    ),
  )
  expect(shorter).toEqual([])
})
