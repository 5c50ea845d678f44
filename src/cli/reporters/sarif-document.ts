/** The SARIF 2.1.0 document of any report. */

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
        tool: { driver: { name: 'sparring', semanticVersion: version, rules } },
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
