export { createLambdaFunctions, type LambdaFunctionsOptions } from './create-lambda-functions';
