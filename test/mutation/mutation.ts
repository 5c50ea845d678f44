/**
 * `npm run mutation`: draws mutants of the product, tries each in a scratch copy, and prints how many the tests notice.
 * Results are kept in a journal, so that a run that was interrupted goes on where it stopped.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readCoverage, recordCoverage, testsOf } from './coverage.ts'
import { changedSince, draw, sourcesIn, type Drawn } from './draw.ts'
import { createRelatedTests } from './related-tests.ts'
import { diffOf, summarize, type Result } from './report.ts'
import { createScratchCopy, type ScratchCopy } from './scratch-copy.ts'
import { tryMutant, type TestKnowledge } from './try-mutant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    changed: { type: 'string' },
    /** Seconds of tests for one mutant. */
    limit: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
    journal: { type: 'string', default: 'node_modules/.cache/sparring-mutation/journal.ndjson' },
    /** Tries the survivors in the journal once more, after tests were added. */
    again: { type: 'boolean', default: false },
    /** Records anew which tests execute which lines; done anyway when that is missing or old. */
    coverage: { type: 'boolean', default: false },
    /** Prints the mutants without trying them. */
    list: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function readJournal(file: string): ReadonlyMap<string, Result> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => JSON.parse(line) as Result).map((each) => [each.id, each]))
}

const all = sourcesIn(root, flags.room)
const sources = flags.changed === undefined ? all : changedSince(root, flags.changed, all)
const drawn = draw(sources, Number(flags.seed), Number(flags.count))
const journal = join(root, flags.journal)
mkdirSync(dirname(journal), { recursive: true })
const results = new Map(readJournal(journal))
const isDone = ({ id }: Drawn): boolean => {
  const known = results.get(id)
  return known !== undefined && !(flags.again && known.outcome === 'survived')
}

const open = drawn.filter((each) => !isDone(each))
const relatedTests = createRelatedTests(root)

function coverageOfTests() {
  const file = join(dirname(journal), 'coverage.json')
  const everything = sourcesIn(root)
  const known = flags.coverage ? undefined : readCoverage(file, everything)
  if (known) return known
  say('recording which tests execute which lines: a run of all tests')
  return recordCoverage(root, file, everything)
}

const coverage =
  flags.list || (open.length === 0 && !flags.coverage) ? undefined : coverageOfTests()
const knowledge: TestKnowledge = {
  durations: new Map(coverage?.tests.map(({ test, ms }) => [test, ms])),
  sound: new Set(),
  unsound: new Set(),
}

async function tryOne(copy: ScratchCopy, mutant: Drawn): Promise<void> {
  const { id, path, line, operator, original, mutated } = mutant
  const began = performance.now()
  const limitMs = Number(flags.limit) * 1000
  const tests = coverage ? testsOf(mutant, coverage, relatedTests) : relatedTests.of(path)
  const outcome = await tryMutant(copy, mutant, { tests, knowledge, limitMs })
  const ms = Math.round(performance.now() - began)
  const result = { id, path, line, operator, ...outcome, ms, diff: diffOf(original, mutated) }
  results.set(id, result)
  appendFileSync(journal, `${JSON.stringify(result)}\n`)
  const seconds = `${(ms / 1000).toFixed(1)} s`
  say(`${outcome.outcome.padEnd(10)} ${seconds.padStart(8)}  ${path}:${line} ${operator}`)
}

/** Takes mutants one after the other in a copy of its own. */
async function work(): Promise<void> {
  const copy = createScratchCopy(root)
  process.once('exit', () => void copy.remove())
  for (let next = open.shift(); next; next = open.shift()) await tryOne(copy, next)
  // The compiler of the copy would keep this process alive.
  await copy.remove()
}

process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (flags.list)
  for (const { path, line, operator, original, mutated } of drawn)
    say(`${path}:${line} ${operator}\n${diffOf(original, mutated)}`)
else {
  say(`${drawn.length} mutants, ${drawn.length - open.length} of them in the journal`)
  await Promise.all(Array.from({ length: Math.min(Number(flags.jobs), open.length) }, work))
  for (const file of knowledge.unsound) say(`${file} fails without any mutant: it was left out`)
  const { text, met } = summarize(drawn.flatMap(({ id }) => results.get(id) ?? []))
  say(`\n${text}`)
  process.exitCode = met ? 0 : 1
}
