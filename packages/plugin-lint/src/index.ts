export { type LintFinding, type LintRule, lintPlugin } from './lint-plugin';
