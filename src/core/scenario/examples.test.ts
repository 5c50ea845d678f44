/** Placeholders of example tables, and texts that only look like one. */
import { expect, test } from 'vitest'
import { examplesOf, literal } from './examples.ts'

const filled = (value: object) => examplesOf(value).map((each) => [each.value, each.diagnostics])

test('a placeholder takes the value of the row, and $${ is a text', () => {
  const examples = [{ name: 'one', dish: 'soup' }]
  const written = { about: 'a ${dish}, not a $${dish} or $$${dish}', examples }
  expect(filled(written)).toEqual([[{ about: 'a soup, not a ${dish} or $${dish}', examples }, []]])
})

test('a text that is literal comes back as it was, whatever it holds', () => {
  for (const text of ['${a}', '$${a}', 'x ${ b } $ { c } ${', '"${a}" \\ $$'])
    expect(filled(literal({ text }))).toEqual([[{ text }, []]])
})

test('a column that one row lacks is missing there, not where it is used', () => {
  const examples = [{ name: 'one', dish: 'soup' }, { name: 'two' }]
  const diagnostics = examplesOf({ about: '${dish}', examples }).flatMap((each) => each.diagnostics)
  expect(diagnostics).toMatchObject([{ path: ['examples', 1], wrong: 'this row has no "dish"' }])
})
