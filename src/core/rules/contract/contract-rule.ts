/** What the rule of contracts says of itself: its id, its sentence and what to do when it fails. */
import type { Verdict } from '../invariants/verdict.ts'
import { contractRuleId } from '../invariants/verdict.ts'

type RuleText = Pick<
  Verdict,
  'id' | 'name' | 'sentence' | 'remedy' | 'kind' | 'clauses' | 'premise' | 'adviceMeaning'
>

export const contractRule = (files: readonly string[]): RuleText => ({
  id: contractRuleId,
  name: 'messages-keep-to-the-contract',
  sentence: `Must send requests and answers as ${files.join(' and ')} describes them`,
  remedy:
    'Send what the document describes, or correct the document where it is behind the service',
  kind: 'safety',
  clauses: [],
  premise: 'a call is made to a role whose host the document describes',
  adviceMeaning: 'not a mistake of your service',
})
