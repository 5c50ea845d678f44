// @module-tag nightly
/** The mutation tool: what its operators change, that draws repeat, and when a mutant counts as killed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Coverage, hashOf, recordCoverage, testsOf } from './coverage.ts'
import { draw, sourcesIn } from './draw.ts'
import { mutantsOf, mutated, operators, parses, type Operator } from './mutants.ts'
import { createRelatedTests } from './related-tests.ts'
import { summarize, type Result } from './report.ts'
import { createScratchCopy, type ScratchCopy, type TestRun } from './scratch-copy.ts'
import { tryMutant, type TestKnowledge } from './try-mutant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The texts that an operator makes of another. */
const made = (operator: Operator, text: string): readonly string[] =>
  mutantsOf('a.ts', text)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => mutated(text, mutant))

describe('operators', () => {
  const cases: readonly (readonly [Operator, string, readonly string[]])[] = [
    ['flip comparison', 'f(a === b)', ['f(a !== b)']],
    ['flip comparison', 'f(a < b)', ['f(a >= b)']],
    ['move boundary', 'f(a < b, c === d)', ['f(a <= b, c === d)']],
    ['negate condition', 'if (a) f()', ['if (!(a)) f()']],
    ['negate condition', 'f(a ? 1 : 2)', ['f(!(a) ? 1 : 2)']],
    ['negate condition', 'f(!a)', ['f(!!a)']],
    ['swap logic', 'f(a && b || c)', ['f((a && b && c))', 'f((a || b) || c)']],
    ['drop default', 'f(a ?? 1)', ['f(a)']],
    ['drop guard', 'f(a?.b, c?.[d])', ['f(a.b, c?.[d])', 'f(a?.b, c[d])']],
    ['drop statement', 'a = 1; if (b) c()', ['; if (b) c()', 'a = 1; ;', 'a = 1; if (b) ;']],
    ['return early', 'function f() { g() }', ['function f() { return; g() }']],
    ['return early', 'const f = () => g()', []],
    ['replace number', 'f(7)', ['f((7 + 1))']],
    ['replace string', "f('READY', 'words for people')", ["f('', 'words for people')"]],
    ['replace boolean', 'f(true)', ['f(false)']],
    ['swap arithmetic', "f(a - 1, 'a' + b)", ["f(a + 1, 'a' + b)"]],
    ['swap method', 'a.some(f)', ['a.every(f)']],
    ['drop element', 'f([1, 2])', ['f([2])', 'f([1])']],
    ['drop element', 'f([1,])', ['f([])']],
    ['drop property', 'f({ a: 1, b })', ['f({ b })', 'f({ a: 1 })']],
  ]
  test.each(cases)('%s: %s', (operator, text, expected) => {
    expect(made(operator, text)).toEqual(expected)
  })

  test('every operator has a case', () => {
    expect(new Set(cases.map(([operator]) => operator))).toEqual(new Set(operators))
  })

  test.each([
    "type A = { a: 'READY'; b: 7 }",
    "import { a } from 'b'",
    "export { a } from 'b'",
    "z.string().describe('name')",
  ])('nothing in types, imports and help: %s', (text) => {
    expect(mutantsOf('a.ts', text).map((mutant) => mutated(text, mutant))).not.toContainEqual(
      expect.stringContaining("''"),
    )
    expect(made('replace number', text)).toEqual([])
  })

  test('a member that holds help is neither dropped nor changed', () => {
    expect(mutantsOf('a.ts', "const a = { summary: 'short', title: 'long' }")).toEqual([])
  })
})

describe('draws', () => {
  const sources = sourcesIn(root, 'src/core/engine/agenda')
  const changes = (seed: number, count: number): readonly string[] =>
    draw(sources, seed, count).map(({ id, mutated: after }) => id + after)

  test('the same seed gives the same mutants, and more of them begin with the same', () => {
    expect(changes(7, 30)).toEqual(changes(7, 30))
    expect(changes(7, 40).slice(0, 30)).toEqual(changes(7, 30))
    expect(changes(8, 30)).not.toEqual(changes(7, 30))
  })

  test('each drawn mutant is another program, and all operators occur', () => {
    const drawn = draw(sources, 7, 200)
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(200)
    expect(drawn.every(({ path, mutated: after }) => parses(path, after))).toBe(true)
    expect(drawn.every(({ original, mutated: after }) => original !== after)).toBe(true)
    expect(new Set(drawn.map(({ operator }) => operator)).size).toBeGreaterThan(10)
  })

  test('only in the lines that are wanted', () => {
    const text = 'f(1)\nf(2)\nf(3)\n'
    const drawn = draw([{ path: 'a.ts', text, lines: new Set([2]) }], 7, 10)
    expect(new Set(drawn.map(({ line }) => line))).toEqual(new Set([2]))
  })
})

const related = createRelatedTests(root)

test('the test beside a file comes first, then those of its folder, and none that do not reach it', () => {
  const tests = related.of('src/core/engine/instant.ts')
  expect(tests[0]).toBe('src/core/engine/instant.test.ts')
  expect(tests).toContain('src/core/session/session.test.ts')
  expect(tests).not.toContain('src/names.test.ts')
  expect(related.of('src/no-such-file.ts')).toEqual([])
})

test('what starts the built program is known, and reaches its entry', () => {
  const [nearest = ''] = related.of('src/sparring/main.ts')
  expect(related.startsProgram(nearest)).toBe(true)
  expect(related.startsProgram('src/core/engine/instant.test.ts')).toBe(false)
})

describe('the tests of a place', () => {
  const path = 'src/core/engine/instant.ts'
  const original = readFileSync(join(root, path), 'utf8')
  const sources = sourcesIn(root, path).map(({ text }) => [path, hashOf(text)] as const)
  const coverage: Coverage = {
    sources: Object.fromEntries(sources),
    tests: [
      { test: 'slow', ms: 900, lines: { [path]: [[10, 20]] } },
      { test: 'fast', ms: 20, lines: { [path]: [[12, 12]] } },
      ...['a', 'b', 'c'].map((name) => ({
        test: name,
        ms: 500,
        lines: { [path]: [[11, 13]] as const },
      })),
      { test: 'elsewhere', ms: 1, lines: { [path]: [[40, 50]] } },
      { test: 'stranger', ms: 1, lines: {} },
    ],
  }
  const relatedTests = {
    of: () => ['a', 'near', 'cli'],
    startsProgram: (name: string) => name === 'cli',
  }
  const place = { path, line: 12, original, inFunction: true }

  test('are those that execute its line, fastest first, and those that start the program', () => {
    expect(testsOf(place, coverage, relatedTests)).toEqual(['fast', 'a', 'b', 'c', 'slow', 'cli'])
  })

  test('where few execute the line, it may run once in a process: also those that execute its file', () => {
    const tests = ['slow', 'elsewhere', 'fast', 'a', 'b', 'c', 'cli']
    expect(testsOf({ ...place, line: 15 }, coverage, relatedTests)).toEqual(tests)
  })

  test('outside of functions also those that import the file, since it is loaded once', () => {
    const tests = ['elsewhere', 'fast', 'a', 'b', 'c', 'slow', 'near', 'cli']
    expect(testsOf({ ...place, inFunction: false }, coverage, relatedTests)).toEqual(tests)
  })

  test('in a file that was changed since, those that execute anything of it', () => {
    const tests = ['elsewhere', 'fast', 'a', 'b', 'c', 'slow', 'cli']
    expect(testsOf({ ...place, original: `${original}//` }, coverage, relatedTests)).toEqual(tests)
  })
})

test('a run records the lines that a test file executes, and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-coverage-'))
  const file = join(folder, 'coverage.json')
  const named = ['src/core/engine/instant.test.ts', 'src/core/protocol/orders/price.test.ts']
  const { tests } = recordCoverage(root, file, sourcesIn(root, 'src/core/engine'), named)
  expect(tests.map((each) => each.test).toSorted()).toEqual(named)
  const [instant, price] = named.map((name) => tests.find((each) => each.test === name)?.lines)
  const path = 'src/core/engine/instant.ts'
  const text = readFileSync(join(root, path), 'utf8').split('\n')
  const lineOf = (part: string): number => text.findIndex((line) => line.includes(part)) + 1
  const executes = (line: number): boolean =>
    instant?.[path]?.some(([first, last]) => first <= line && line <= last) ?? false
  expect(executes(lineOf('return'))).toBe(true)
  expect(executes(1)).toBe(false)
  expect(price).not.toHaveProperty([path])
  rmSync(folder, { recursive: true })
})

test('results are counted by wing, by room of core, and for the rules', () => {
  const paths = [
    'core/rules/invariants/rules/retry/a.ts',
    'core/rules/judge.ts',
    'core/engine/a.ts',
    'replay/identity/a.ts',
  ]
  const { text } = summarize(
    paths.map((path) => ({
      id: '',
      path: `src/${path}`,
      line: 1,
      operator: '',
      diff: '',
      ms: 0,
      related: 1,
      ran: 1,
      outcome: 'killed',
    })),
  )
  for (const room of ['core/rules: rules', 'core/rules', 'core/engine', 'replay'])
    expect(text).toMatch(new RegExp(`^${room} +1 `, 'm'))
  expect(text).toContain('rules: 100.0% killed (1 of 1), target 85%')
})

describe('a mutant', () => {
  const knowledge = (): TestKnowledge => ({
    durations: new Map(),
    sound: new Set(),
    unsound: new Set(),
  })

  /** A copy in which test files fail with the mutant, and some of them always. */
  function scripted(fails: { readonly mutant?: string; readonly always?: string }) {
    let text = 'original'
    const ran: string[] = []
    const runTests = (files: readonly string[]): Promise<TestRun> => {
      ran.push(...files)
      const broken = [fails.always, text === 'mutated' ? fails.mutant : undefined]
      const failed = files.filter((file) => broken.includes(file)).slice(0, 1)
      const outcome = failed.length > 0 ? 'failed' : 'passed'
      return Promise.resolve({ outcome, failed, durations: new Map() })
    }
    const copy: ScratchCopy = {
      write: (_path, written) => void (text = written),
      test: runTests,
      compiles: () => Promise.resolve(true),
      remove: () => Promise.resolve(),
    }
    return { copy, ran, text: () => text }
  }

  const trial = { path: 'src/a.ts', original: 'original', mutated: 'mutated' }
  const context = { tests: ['near', 'far', 'other'], limitMs: 60_000 }

  test('is killed by a test that passes without it', async () => {
    const { copy, text } = scripted({ mutant: 'far' })
    const known = { ...context, knowledge: knowledge() }
    expect(await tryMutant(copy, trial, known)).toMatchObject({ outcome: 'killed', by: 'far' })
    expect(text()).toBe('original')
  })

  test('is not killed by a test that fails without it too', async () => {
    const { copy } = scripted({ always: 'far' })
    const known = { ...context, knowledge: knowledge() }
    expect(await tryMutant(copy, trial, known)).toMatchObject({ outcome: 'survived' })
    expect([...known.knowledge.unsound]).toEqual(['far'])
  })

  test('survives when the time is over before all related tests ran', async () => {
    const { copy } = scripted({ mutant: 'other' })
    const known = { ...context, limitMs: 2000, knowledge: knowledge() }
    expect(await tryMutant(copy, trial, known)).toMatchObject({ outcome: 'survived', related: 3 })
  })

  test('that does not end counts as killed', async () => {
    const { copy } = scripted({})
    const endless: ScratchCopy = {
      ...copy,
      test: () => Promise.resolve({ outcome: 'timed out', failed: [], durations: new Map() }),
    }
    const known = { ...context, knowledge: knowledge() }
    const outcome = await tryMutant(endless, trial, known)
    expect(outcome).toMatchObject({ outcome: 'timed out' })
    const result = { id: '', path: 'src/a/a.ts', line: 1, operator: '', diff: '', ms: 0 }
    expect(summarize([{ ...result, ...outcome }])).toMatchObject({ met: true })
  })

  test('that the compiler refuses counts on neither side', () => {
    const result = (outcome: Result['outcome']): Result => ({
      id: '',
      path: 'src/a/a.ts',
      line: 1,
      operator: 'drop guard',
      diff: '- a\n+ b',
      ms: 0,
      related: 1,
      ran: 1,
      outcome,
    })
    const { text, met } = summarize([
      ...Array.from({ length: 9 }, () => result('killed')),
      result('survived'),
      result('refused by the compiler'),
    ])
    expect(text).toContain('all: 90.0% killed (9 of 10), target 90%')
    expect(text).toContain('src/a/a.ts:1 drop guard (1 of 1 related test files ran)\n- a\n+ b')
    expect(met).toBe(true)
  })
})

test('a scratch copy runs the tests of the change, and leaves the checkout alone', async () => {
  const copy = createScratchCopy(root)
  const path = 'src/core/engine/instant.ts'
  const original = readFileSync(join(root, path), 'utf8')
  try {
    const files = ['src/core/engine/instant.test.ts']
    expect(await copy.test(files, 60_000)).toMatchObject({ outcome: 'passed', failed: [] })
    copy.write(path, original.replaceAll(/\d+/g, '1'))
    expect(await copy.test(files, 60_000)).toMatchObject({ outcome: 'failed', failed: files })
    copy.write(path, 'while (true) {}')
    expect(await copy.test(files, 1000)).toMatchObject({ outcome: 'timed out' })
    expect(readFileSync(join(root, path), 'utf8')).toBe(original)
    expect(existsSync(join(root, '.cache'))).toBe(false)
  } finally {
    await copy.remove()
  }
})
