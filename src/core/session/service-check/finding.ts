/** A finding of a check: what holds, or what is wrong and what to do. */
import { displayText } from '../../traffic/redaction/display.ts'

/** `warn`: a session gets on, and it should be looked at; `fail`: a session cannot do its work. */
export type FindingLevel = 'ok' | 'warn' | 'fail'

export interface CheckFinding {
  readonly level: FindingLevel
  /** One sentence, with or without its full stop. */
  readonly what: string
  /** What to do: one sentence or two; absent where nothing has to be done. */
  readonly remedy?: string
}

export const okFinding = (what: string): CheckFinding => ({
  level: 'ok',
  what: displayText(what),
})

export const problemFinding = (
  level: Exclude<FindingLevel, 'ok'>,
  what: string,
  remedy: string,
): CheckFinding => ({ level, what: displayText(what), remedy: displayText(remedy) })

/** A line of a diagnosis as a sentence; a URL at its beginning stays as it is. */
export const asSentence = (line: string): string =>
  `${/^https?:/.test(line) ? line : `${line.charAt(0).toUpperCase()}${line.slice(1)}`}${/[.?!]$/.test(line) ? '' : '.'}`

const levels: readonly FindingLevel[] = ['ok', 'warn', 'fail']

/** Each once, at its worst level: several of our roles may come to the same. */
export function withoutRepetition(findings: readonly CheckFinding[]): readonly CheckFinding[] {
  const found = new Map<string, CheckFinding>()
  for (const finding of findings) {
    const same = found.get(finding.what)
    if (!same || levels.indexOf(finding.level) > levels.indexOf(same.level))
      found.set(finding.what, finding)
  }
  return [...found.values()]
}
