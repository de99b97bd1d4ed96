// SPDX-License-Identifier: MIT
// A first program in Vala: a messenger, and a variable whose numbers become others on their way to an observer.
int main () {
    var observer = new Swo.Observer ();
    var names = new Swo.Observable.messenger ();
    string greeting = "hello";
    names.observe (observer, (message, author) => {
        unowned string name;
        size_t size;
        if (Swo.get_text (message, out name, out size) == Swo.OK) stdout.printf ("%s, %.*s\n", greeting, (int) size, name);
    });
    var world = Swo.text ("world");
    names.send (&world); // hello, world

    Swo.Observable celsius, values, hot, fahrenheit;
    if (Swo.Observable.variable (null, out celsius) != Swo.OK) return 1;
    if (celsius.new_values (out values) != Swo.OK) return 1;
    if (values.filter (message => {
            double degrees;
            return Swo.get_double (message, out degrees) == Swo.OK && degrees >= 30;
        }, out hot) != Swo.OK) return 1;
    if (hot.map ((message, result) => {
            double degrees;
            var status = Swo.get_double (message, out degrees);
            *result = Swo.double (degrees * 1.8 + 32);
            return status;
        }, out fahrenheit) != Swo.OK) return 1;
    fahrenheit.observe (observer, (message, author) => {
        double degrees;
        if (Swo.get_double (message, out degrees) == Swo.OK) stdout.printf ("%.0f degrees!\n", degrees);
    });
    for (double degrees = 20; degrees <= 40; degrees += 10) {
        var value = Swo.double (degrees);
        celsius.set (&value); // 86 degrees! 104 degrees!
    }
    return 0;
}
