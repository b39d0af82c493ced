export { createLocalFunctions, type FunctionClient, type LocalFunctionsOptions } from './create-local-functions';
