/** A Vitest reporter that ends a run with the tests that passed only when they were tried again, and one machine-readable line. */
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
        if (test.diagnostic()?.flaky === true)
          process.stdout.write(
            `\nflaky: ${module.relativeModuleId} > ${test.fullName}\n  ${errors?.map(({ message, diff = '' }) => `${message}\n${diff}`).join('\n  ')}\n`,
          )
      }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
