/** Entry `sparring/jest`: registers the matchers with Jest; a line of `setupFilesAfterEnv`. */
import { matchers, type SparringMatchers } from './session-matchers.ts'
import { problem } from '../../core/base/problem.ts'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    readonly toHaveNoBrokenRules: SparringMatchers<R>['toHaveNoBrokenRules']
    readonly toConverge: SparringMatchers<R>['toConverge']
  }
}

/** The same for the global `expect` of `@types/jest`. */
declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends SparringMatchers {}
  }
}

const expect: unknown = Reflect.get(globalThis, 'expect')
const extend: unknown = typeof expect === 'function' ? Reflect.get(expect, 'extend') : undefined
if (typeof extend !== 'function')
  throw problem(
    'registering the matchers of sparring/jest',
    'there is no global expect',
    "Name it in setupFilesAfterEnv, or call expect.extend(matchers) with the matchers of 'sparring/matchers'.",
  )
Reflect.apply(extend, expect, [matchers])
