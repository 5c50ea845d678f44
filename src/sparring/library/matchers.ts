/** Entry `sparring/matchers`: matchers of sessions for `expect.extend` of any test runner that takes Jest's. */
export {
  type ConvergeOptions,
  type MatcherResult,
  matchers,
  type RuleOptions,
  type SparringMatchers,
} from './session-matchers.ts'
