/** A Vitest reporter that ends a run with the flaky tests, which passed only when they were retried, and one machine-readable line. */
import type { TestModule } from 'vitest/node'

export default class ClosingLine {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failed++
        if (test.diagnostic()?.flaky === true) {
          const lines = errors?.map(({ message, diff = '' }) => `  ${message}\n${diff}\n`) ?? []
          const name = `${module.relativeModuleId} > ${test.fullName}`
          process.stdout.write(`\nflaky: ${name}\n${lines.join('')}`)
        }
      }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
