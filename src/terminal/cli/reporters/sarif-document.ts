/** The SARIF 2.1.0 document of any report. */
import type { Invariant } from '../../../core/rules/invariants/invariant.ts'
import { type Clauses, clausesOf, clauseWithPlace } from '../../../core/protocol/clause.ts'

export interface SarifRule {
  readonly id: string
  readonly name: string
  readonly shortDescription: { readonly text: string }
  /** What to do when it fails, and what its clauses say. */
  readonly help?: { readonly text: string }
  readonly properties?: { readonly tags: readonly string[]; readonly kind: string }
}

export const toPascalCase = (name: string): string =>
  name.replace(/(^|-)([a-z0-9])/g, (_, _dash, character: string) => character.toUpperCase())

export const encodedFileUri = (file: string): string => encodeURI(file.replaceAll('\\', '/'))

/** An invariant as a rule, with what its clauses say where they are given. */
export const invariantSarifRule = (
  {
    id,
    name,
    sentence,
    remedy,
    clauses: ids,
    kind,
  }: Pick<Invariant, 'id' | 'name' | 'sentence' | 'remedy' | 'clauses' | 'kind'>,
  clauses: Clauses = new Map(),
): SarifRule => ({
  id,
  name: toPascalCase(name),
  shortDescription: { text: sentence },
  help: {
    text: [
      remedy,
      ...clausesOf(ids, clauses).map((clause) => `${clause.id}: ${clauseWithPlace(clause)}`),
    ].join('\n'),
  },
  properties: { tags: ids, kind },
})

/** A file as a location, at a line where one is known. */
export function sarifLocation(
  file: string,
  place?: { readonly line: number; readonly column: number },
) {
  const region = place ? { region: { startLine: place.line, startColumn: place.column } } : {}
  return { physicalLocation: { artifactLocation: { uri: encodedFileUri(file) }, ...region } }
}

export interface SarifFindings {
  readonly version: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly object[]
  /** The tool ran to its end. */
  readonly isComplete: boolean
  /** Why it did not. */
  readonly halted: string | undefined
}

/** The SARIF document of one tool run. */
export function sarifDocument(findings: SarifFindings): string {
  const { version, rules, results, isComplete, halted } = findings
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        // Behind the number stands the commit, which is no part of a semantic version.
        tool: {
          driver: { name: 'sparring', version, semanticVersion: version.replace(/ .*/, ''), rules },
        },
        invocations: [
          {
            executionSuccessful: isComplete,
            ...(halted === undefined
              ? {}
              : { toolExecutionNotifications: [{ level: 'error', message: { text: halted } }] }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
