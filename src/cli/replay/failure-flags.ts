/** The flags that say which failure is meant; apart from their use, since every start loads all flags. */
import type { FlagRow } from '../verb.ts'

export const failureFlags = [
  {
    name: 'failure',
    value: '<n or text>',
    summary:
      'the failure that is meant: its number in the list that a replay prints, or a part of its text',
  },
  {
    name: 'at',
    value: '<#n>',
    summary: "the failure that is meant: the one at this exchange of the recording, such as '#147'",
  },
] as const satisfies readonly FlagRow[]

export interface FailureChoiceFlags {
  readonly failure?: string | undefined
  readonly at?: string | undefined
  /** `recordId` of an exchange whose failure is taken where it has one and no flag says otherwise. */
  readonly preferred?: string
}
