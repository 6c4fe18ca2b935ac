/** Only file that imports the parser, so that a new release or another parser requires a change only here. */
export {
  forEachChild,
  parse,
  type ArithmeticExpression,
  type Assignment as BashAssignment,
  type AssignmentPrefix,
  type Command,
  type CompoundList,
  type DoubleQuotedChild,
  type ParameterExpansionPart,
  type ParsedScript as BashScript,
  type Redirection as BashRedirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word as BashWord,
  type WordPart,
} from "unbash";
