/** The flags that say which failure is meant; apart from their use, since every start loads all flags. */
import type { FlagRow } from '../../../terminal/cli/verb.ts'

export const failureFlags = [
  {
    name: 'failure',
    value: '<n or text>',
    summary:
      'select a failure by its number in the list that a replay prints, or by part of its text',
  },
  {
    name: 'at',
    value: '<#n>',
    summary: "select the failure at this exchange of the recording, such as '#147'",
  },
] as const satisfies readonly FlagRow[]

export interface FailureChoiceFlags {
  readonly failure?: string | undefined
  readonly at?: string | undefined
  /** `recordId` of an exchange whose failure is taken where it has one and no flag says otherwise. */
  readonly preferred?: string
}
