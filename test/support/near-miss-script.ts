/**
 * Near misses as text: each case is one line, with its clause and title before the bar, and what happens and what the
 * rule finds behind it. All times are milliseconds after noon.
 *
 *     # The service knows the order.
 *     heard := 0 created a; 0 polled CREATED a
 *     stuck(status=CREATED) := "o1 is still $status, 120 s after it reached that status."
 *
 *     ORD-GEN-05 it has time | heard; 120000 => open
 *     ORD-GEN-05 its call failed | heard; 10,20 confirmOrder a 503 took=5; 120001 => stuck a 0,10
 *     lag 100
 *     ORD-GEN-05 we may have been late | heard; 120200 => stuck(READY) a 0 inconclusive
 *
 *     ORD-STA-01 it is {DELIVERED|CANCELLED} | heard; 5 moved a $each; 120001 => passed
 *
 * A line that begins in none of these ways continues the one before. Steps begin with their times, `0,1000,+500x3` (the
 * last three each 500 ms after the one before), or are the name of other steps; a time alone lets time pass. In a step
 * that has several times `$at` is the time and `$i` counts from 0. `&` joins what happens at one time; `[ ]` holds what
 * happens while a webhook is in flight. A finding is its text, a part of that or a pattern, the order or `-`, and when
 * the exchanges of its evidence began. Arguments are separated by `|`, and `_` is one that keeps its default.
 */
import type { VerdictOutcome } from '../../src/core/rules/invariants/verdict.ts'
import { stepsOf } from './near-miss-actions.ts'
import { splitText, timesOf } from './near-miss-text.ts'
import type { Steps } from './near-misses.ts'

const marks = ['advice', 'inconclusive'] as const

/** A finding: what it says, or a part of that, the order, and when each exchange of its evidence began. */
type ExpectedFinding = readonly [
  because: string | RegExp,
  orderId: string | undefined,
  evidence: readonly number[],
  mark?: (typeof marks)[number],
]

export interface NearMiss {
  readonly clause: string
  readonly title: string
  readonly play: Steps
  /** The outcome without findings, or all findings. */
  readonly expected: VerdictOutcome | readonly ExpectedFinding[]
  /** So many milliseconds late Sparring itself is at all times. */
  readonly lagMs: number
}

/** Steps, findings, or the text of a finding, under a name; each parameter may have a default. */
interface Definition {
  readonly parameters: readonly (readonly [name: string, byDefault: string | undefined])[]
  readonly body: string
}

const definitionLine = /^(\w+)(?:\((.*)\))? := (.*)$/
const caseLine = /^([A-Z]{3}-[A-Z]{3}-\d{2}) (.+?) \| (.+) => (.+)$/
const findingText =
  /^(".*"|\/.*\/|\w+(?:\(.*\))?) (".*"|\S+) (none|[\d,+x]+)(?: (advice|inconclusive))?$/
const reference = /^(\w+)(?:\((.*)\))?$/
const outcomes: readonly string[] = ['passed', 'open', 'not-exercised'] satisfies VerdictOutcome[]
const begins = [/^\w+(?:\(.*\))? := /, /^[A-Z]{3}-[A-Z]{3}-\d{2} /, /^lag \d+$/]

/** The lines with those that continue them, without remarks. */
const wholeLines = (script: string): readonly string[] =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .reduce<readonly string[]>(
      (lines, line) =>
        begins.some((each) => each.test(line))
          ? [...lines, line]
          : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} ${line}`],
      [],
    )

const withoutQuotes = (text: string): string => text.replace(/^"(.*)"$/, '$1')

/** A case whose title has `{READY|DELIVERED}` is one for each, which is `$each` behind the bar. */
function variants(line: string): readonly string[] {
  const [, before = '', values, after = ''] = /^([^|{]+)\{([^}]+)\}(.*)$/.exec(line) ?? []
  if (values === undefined) return [line]
  return values.split('|').map((each) => `${before}${each}${after.replaceAll('$each', each)}`)
}

class Script {
  readonly #definitions = new Map<string, Definition>()
  readonly #used = new Set<string>()

  define(name: string, parameters: string | undefined, body: string): void {
    if (this.#definitions.has(name)) throw new Error(`${name} is defined twice`)
    const pairs = parameters?.split('|').map((each) => each.split(/=(.*)/s)) ?? []
    this.#definitions.set(name, {
      parameters: pairs.map(([parameter = '', byDefault]) => [parameter, byDefault]),
      body,
    })
  }

  steps(text: string): Steps {
    return splitText(this.#fill(text), ';').map((item) =>
      /^\d/.test(item)
        ? stepsOf(item, (inside) => this.steps(inside))
        : this.steps(this.#body(item)),
    )
  }

  findings(text: string): readonly ExpectedFinding[] {
    return splitText(this.#fill(text), ';').flatMap((item): readonly ExpectedFinding[] => {
      const match = findingText.exec(item)
      if (!match) return this.findings(this.#body(item))
      const [, because = '', order = '', evidence = '', word] = match
      const mark = marks.find((each) => each === word)
      const times = evidence === 'none' ? [] : timesOf(evidence)
      const finding = [
        this.#because(because),
        order === '-' ? undefined : withoutQuotes(order),
        times,
      ] as const
      return [mark === undefined ? finding : [...finding, mark]]
    })
  }

  case(line: string, lagMs: number): NearMiss {
    const [, clause = '', title = '', play = '', expected = ''] = caseLine.exec(line) ?? []
    const isOutcome = outcomes.includes(expected)
    return {
      clause,
      title,
      play: this.steps(play),
      expected: isOutcome ? (expected as VerdictOutcome) : this.findings(expected),
      lagMs,
    }
  }

  unused(): readonly string[] {
    return [...this.#definitions.keys()].filter((name) => !this.#used.has(name))
  }

  #because(text: string): string | RegExp {
    if (text.startsWith('"')) return withoutQuotes(text)
    if (text.startsWith('/')) return new RegExp(text.slice(1, -1))
    return this.#because(this.#body(text))
  }

  /** The body of `stuck(READY)`, with its arguments. */
  #body(text: string): string {
    const [, name = '', list] = reference.exec(text) ?? []
    const { parameters, body } = this.#definition(name, text)
    const parts = list === undefined ? [] : list.split('|')
    if (parts.length > parameters.length) throw new Error(`${text} has too many arguments`)
    const values = parameters.map(([parameter, byDefault], index) => {
      const value = parts[index] === '_' ? byDefault : (parts[index] ?? byDefault)
      if (value === undefined) throw new Error(`${text} lacks ${parameter}`)
      return [parameter, value] as const
    })
    return this.#fill(body, new Map(values))
  }

  /** Replaces `$name` by an argument or a definition; `$at` and `$i` belong to the step. */
  #fill(text: string, values: ReadonlyMap<string, string> = new Map()): string {
    return text.replaceAll(/\$(\w+)/g, (whole, name: string) => {
      const value = values.get(name)
      if (value !== undefined) return value
      return name === 'at' || name === 'i' ? whole : this.#fill(this.#definition(name, text).body)
    })
  }

  #definition(name: string, where: string): Definition {
    const found = this.#definitions.get(name)
    if (!found) throw new Error(`there is no "${name}": ${where}`)
    this.#used.add(name)
    return found
  }
}

/** The cases of a script, in its order. */
export function parseNearMisses(text: string): readonly NearMiss[] {
  const script = new Script()
  const cases: NearMiss[] = []
  let lagMs = 0
  for (const line of wholeLines(text)) {
    const definition = definitionLine.exec(line)
    const found = caseLine.exec(line)
    if (line.startsWith('lag ')) lagMs = Number(line.slice(4))
    else if (definition) script.define(definition[1] ?? '', definition[2], definition[3] ?? '')
    else if (found) cases.push(...variants(found[0]).map((each) => script.case(each, lagMs)))
    else throw new Error(`neither a case nor a definition: ${line}`)
  }
  const [unused] = script.unused()
  if (unused !== undefined) throw new Error(`nothing uses ${unused}`)
  return cases
}
