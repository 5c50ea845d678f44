import { expect, test } from 'vitest'
import { breakLines } from './break-lines.ts'

const statement = `const a1=[${'1,'.repeat(290)}1];`

test('a line ends before a statement, and the code stays the same', () => {
  const code = `${statement}function b(){${statement.replace('a1', 'a2')}return{a:\`x\${(()=>{${statement.replace('a1', 'a3')}return 1})()} ; const y = 1\`}}class C{#a=1;b(){${statement.replace('a1', 'a4')}}c(){}}`
  const broken = breakLines(code)
  expect(broken.replaceAll('\n', '')).toBe(code)
  expect(broken.split('\n').length).toBeGreaterThan(4)
  expect(Math.max(...broken.split('\n').map(({ length }) => length))).toBeLessThan(1200)
  // Text is no code.
  expect(broken).toContain(' ; const y = 1`')
})

test('a line may end after a comma, but never after return', () => {
  const items = Array.from({ length: 160 }, (_, index) => `a${index}()`)
  const code = `function f(){return ${items.join(',')}}let b={c:${items.join(',c:')}},d=[${items.join(',')}],e=\`\${${items.join('}${')}}\`;`
  const broken = breakLines(code)
  expect(broken.replaceAll('\n', '')).toBe(code)
  expect(broken).not.toMatch(/return$/m)
  expect(broken.split('\n').filter((line) => line.endsWith(',')).length).toBeGreaterThan(3)
})

test('short code stays on its line', () => {
  expect(breakLines('let a=1;let b=2;')).toBe('let a=1;let b=2;')
})
